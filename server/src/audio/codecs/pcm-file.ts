import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes of a sample: 16 bits, little endian. */
export const SAMPLE_BYTES = 2;

/** A file of PCM samples without a header. Writes synchronously, as a thread of its own uses it. */
export interface PcmFile {
  add(samples: Float32Array): void;
  close(): void;
}

/** Creates or truncates a file of one channel with 16 bits. */
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
