import { MPEGDecoder } from 'mpg123-decoder';
import { createMp3Encoder as openEncoder } from 'wasm-media-encoders';
import type { SoundSink } from './sound.ts';
import { splitChunks, decodeStream } from './stream-decoder.ts';

/** Decodes MPEG audio of layer I to III. */
export const decodeMp3 = (bytes: Uint8Array, sink: SoundSink): Promise<void> =>
  decodeStream(new MPEGDecoder(), splitChunks(bytes), sink);

/** Sampling rates of MP3. Source: ISO 11172-3 and 13818-3. */
const rates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;

/** The sampling rate to encode with: the lowest that loses nothing. */
export const mp3Rate = (sampleRate: number): number => rates.find((rate) => rate >= sampleRate) ?? 48_000;

/** Encodes sound of one channel, chunk by chunk. */
export async function createMp3Encoder(sampleRate: number) {
  const encoder = await openEncoder();
  encoder.configure({ sampleRate, channels: 1, vbrQuality: 4 });
  return {
    sampleRate,
    add: (samples: Float32Array): Buffer => Buffer.from(encoder.encode([samples])),
    end: (): Buffer => Buffer.from(encoder.finalize()),
  };
}
