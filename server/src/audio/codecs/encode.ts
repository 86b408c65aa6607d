import { encodeFlac } from './flac.ts';
import { createMp3Encoder, mp3Rate } from './mp3.ts';
import { createOpusEncoder } from './opus.ts';
import { createResampler } from './resample.ts';
import { joinSamples } from './sound.ts';
import { toPcm16, wavHead } from './wav.ts';

/** Formats of /v1/audio/speech. Source: decisions section 6. */
export const speechFormats = ['wav', 'mp3', 'opus', 'flac', 'pcm'] as const;
export type SpeechFormat = (typeof speechFormats)[number];

export const mediaTypes: Readonly<Record<SpeechFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
};

/** Sampling rate of `pcm`, as the format has it. Source: OpenAI, Text to speech, "Supported output formats". */
const PCM_RATE = 24_000;

/** Encodes sound of one channel, chunk by chunk. */
export interface SoundEncoder {
  add(samples: Float32Array): Buffer;
  end(): Promise<Buffer>;
}

function resamplingEncoder(
  from: number,
  coder: { sampleRate: number; add: (chunk: Float32Array) => Buffer; end: () => Buffer },
): SoundEncoder {
  const resampler = createResampler(from, coder.sampleRate);
  return {
    add: (samples) => coder.add(resampler.add(samples)),
    end: async () => Buffer.concat([coder.add(resampler.end()), coder.end()]),
  };
}

/** The head of FLAC holds the length of the sound, so that the file is made at the end. */
function flacEncoder(sampleRate: number): SoundEncoder {
  const chunks: Float32Array[] = [];
  return {
    add(samples) {
      chunks.push(samples);
      return Buffer.alloc(0);
    },
    end: () => encodeFlac({ samples: joinSamples(chunks), sampleRate }),
  };
}

/** Opens an encoder for sound of a sampling rate. */
export async function createEncoder(format: SpeechFormat, sampleRate: number): Promise<SoundEncoder> {
  if (format === 'mp3') return resamplingEncoder(sampleRate, await createMp3Encoder(mp3Rate(sampleRate)));
  if (format === 'opus') return resamplingEncoder(sampleRate, createOpusEncoder());
  if (format === 'flac') return flacEncoder(sampleRate);
  if (format === 'pcm')
    return resamplingEncoder(sampleRate, { sampleRate: PCM_RATE, add: toPcm16, end: () => Buffer.alloc(0) });
  let hasHead = false;
  const headOnce = () => {
    if (hasHead) return Buffer.alloc(0);
    hasHead = true;
    return wavHead(sampleRate, null);
  };
  return {
    add: (samples) => Buffer.concat([headOnce(), toPcm16(samples)]),
    end: async () => headOnce(),
  };
}
