import { createResampler } from './resample.ts';
import { joinSamples } from './sound.ts';
import { toPcm16, wavHeader } from './wav.ts';

/** Formats of /v1/audio/speech that are made here. Source: decisions section 6. */
export const ownFormats = ['wav', 'mp3', 'opus', 'flac', 'pcm'] as const;
export type OwnFormat = (typeof ownFormats)[number];
/** All of them; aac is made by a program. */
export type SpeechFormat = OwnFormat | 'aac';

export const mediaTypes: Readonly<Record<SpeechFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
  aac: 'audio/aac',
};

/** Fixed sampling rate of `pcm`. Source: OpenAI, Text to speech, "Supported output formats". */
const PCM_RATE = 24_000;

/** Encodes sound of one channel, chunk by chunk. */
export interface SoundEncoder {
  add(samples: Float32Array): Buffer;
  end(): Promise<Buffer>;
}

function resamplingEncoder(
  sourceRate: number,
  encoder: { sampleRate: number; add: (chunk: Float32Array) => Buffer; end: () => Buffer },
): SoundEncoder {
  const resampler = createResampler(sourceRate, encoder.sampleRate);
  return {
    add: (samples) => encoder.add(resampler.add(samples)),
    end: async () => Buffer.concat([encoder.add(resampler.end()), encoder.end()]),
  };
}

/** Encodes everything at the end, as the header of FLAC holds the length of the sound. */
function flacEncoder(sampleRate: number): SoundEncoder {
  const chunks: Float32Array[] = [];
  return {
    add(samples) {
      chunks.push(samples);
      return Buffer.alloc(0);
    },
    end: async () => {
      const { encodeFlac } = await import('./flac.ts');
      return encodeFlac({ samples: joinSamples(chunks), sampleRate });
    },
  };
}

/** Opens an encoder for sound of a sampling rate. Codecs are loaded with the first sound: together they hold 30 MB. */
export async function createEncoder(format: OwnFormat, sampleRate: number): Promise<SoundEncoder> {
  if (format === 'mp3') {
    const { createMp3Encoder, mp3Rate } = await import('./mp3.ts');
    return resamplingEncoder(sampleRate, await createMp3Encoder(mp3Rate(sampleRate)));
  }
  if (format === 'opus') {
    const { createOpusEncoder } = await import('./opus.ts');
    return resamplingEncoder(sampleRate, createOpusEncoder());
  }
  if (format === 'flac') return flacEncoder(sampleRate);
  if (format === 'pcm')
    return resamplingEncoder(sampleRate, { sampleRate: PCM_RATE, add: toPcm16, end: () => Buffer.alloc(0) });
  let isHeaderWritten = false;
  const headerOnce = () => {
    if (isHeaderWritten) return Buffer.alloc(0);
    isHeaderWritten = true;
    return wavHeader(sampleRate, null);
  };
  return {
    add: (samples) => Buffer.concat([headerOnce(), toPcm16(samples)]),
    end: async () => headerOnce(),
  };
}
