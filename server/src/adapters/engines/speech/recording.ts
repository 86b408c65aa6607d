import { type FileHandle, open } from 'node:fs/promises';
import { frameOf, loudness, splitByLoudness, type SampleRange } from './split.ts';

const SAMPLE_BYTES = 2;
/** Frames whose loudness is looked at at once. */
const WINDOW_FRAMES = 5_000;

/** A recording of one channel of 16 bits in a file, of which only pieces are ever in memory. */
export interface Recording {
  /** Where there is sound. */
  speechRanges(): Promise<readonly SampleRange[]>;
  read(range: SampleRange): Promise<Float32Array>;
  close(): Promise<void>;
}

async function readSamples(file: FileHandle, { from, to }: SampleRange): Promise<Float32Array> {
  const bytes = Buffer.alloc((to - from) * SAMPLE_BYTES);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from * SAMPLE_BYTES);
  const samples = new Float32Array(Math.floor(bytesRead / SAMPLE_BYTES));
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(i * SAMPLE_BYTES) / 32_768;
  return samples;
}

/** Opens a file of samples without a head, little endian. */
export async function openRecording(path: string, sampleRate: number): Promise<Recording> {
  const file = await open(path);
  const frame = frameOf(sampleRate);
  return {
    async speechRanges() {
      const length = Math.floor((await file.stat()).size / SAMPLE_BYTES);
      const values = new Float32Array(Math.ceil(length / frame));
      const step = WINDOW_FRAMES * frame;
      for (let from = 0; from < length; from += step) {
        const samples = await readSamples(file, { from, to: Math.min(length, from + step) });
        values.set(loudness(samples, frame), from / frame);
      }
      return splitByLoudness(values, length, frame);
    },
    read: (range) => readSamples(file, range),
    close: () => file.close(),
  };
}
