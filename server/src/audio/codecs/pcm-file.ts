import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes of a sample: 16 bits, little endian. */
export const SAMPLE_BYTES = 2;

/** A file of samples without a head, written by a thread of its own. */
export interface PcmFile {
  add(samples: Float32Array): void;
  close(): void;
}

/** Opens a file anew: one channel of 16 bits. */
export function createPcmFile(path: string): PcmFile {
  const file = openSync(path, 'w', 0o600);
  return {
    add(samples) {
      const values = new Int16Array(samples.length);
      for (let i = 0; i < samples.length; i++)
        values[i] = Math.max(-32_768, Math.min(32_767, Math.round((samples[i] ?? 0) * 32_767)));
      const bytes = new Uint8Array(values.buffer);
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    },
    close: () => closeSync(file),
  };
}
