/** Sound of one channel. */
export interface Sound {
  /** -1 to 1. */
  readonly samples: Float32Array;
  /** In Hz. */
  readonly sampleRate: number;
}

/** Why a file gives no sound. `message` is for whoever sent it. */
export class AudioError extends Error {
  readonly code: 'unsupported' | 'corrupted' | 'too_long' | 'empty';
  constructor(code: AudioError['code'], message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

export const corrupted = (cause?: unknown): AudioError =>
  new AudioError('corrupted', 'The audio file is damaged and cannot be read', cause === undefined ? {} : { cause });

/** Takes pieces of sound, all channels of a piece of one length. May throw, which ends the decoding. */
export type SoundSink = (channels: readonly Float32Array[], sampleRate: number) => void;
