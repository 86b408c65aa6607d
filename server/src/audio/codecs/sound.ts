/** Sound of one channel. */
export interface Sound {
  /** -1 to 1. */
  readonly samples: Float32Array;
  /** In Hz. */
  readonly sampleRate: number;
}

/** Decoding of a file failed. The message is for the person who sent it. */
export class AudioError extends Error {
  readonly code: 'unsupported' | 'needs_ffmpeg' | 'corrupted' | 'too_long' | 'empty';
  /** For `needs_ffmpeg`: the format of the file, such as `M4A`. */
  readonly format: string | null;
  constructor(
    code: AudioError['code'],
    message: string,
    { format = null, ...options }: ErrorOptions & { readonly format?: string | null } = {},
  ) {
    super(message, options);
    this.code = code;
    this.format = format;
  }
}

export const corrupted = (cause?: unknown): AudioError =>
  new AudioError('corrupted', 'The audio file is damaged and cannot be read', cause === undefined ? {} : { cause });

export const tooLong = (maxSeconds: number): AudioError =>
  new AudioError('too_long', `The audio is longer than ${Math.round(maxSeconds / 60)} minutes; split it`);

/** Receives chunks of sound, with all channels of a chunk of the same length. May throw, which ends the decoding. */
export type SoundSink = (channels: readonly Float32Array[], sampleRate: number) => void;

export function joinSamples(chunks: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
