import { createResampler } from '../../src/audio/codecs/resample.ts';
import { joinSamples, type Sound } from '../../src/audio/codecs/sound.ts';
import { toPcm16, wavHeader } from '../../src/audio/codecs/wav.ts';

/** Encodes a WAV file with one channel of 16 bits. */
export function encodeWav({ samples, sampleRate }: Sound): Buffer {
  const bytes = toPcm16(samples);
  return Buffer.concat([wavHeader(sampleRate, bytes.length), bytes]);
}

/** Resamples complete sound. */
export function resample(samples: Float32Array, sourceRate: number, targetRate: number): Float32Array {
  const resampler = createResampler(sourceRate, targetRate);
  return joinSamples([resampler.add(samples), resampler.end()]);
}
