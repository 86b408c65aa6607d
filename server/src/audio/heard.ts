import type { Transcribed, TranscribeWatch } from './transcribe.ts';

/** What a transcription is counted by, as far as it has come: one that is broken off has been heard in part. */
export interface Heard {
  readonly watch: TranscribeWatch;
  /** Once it is whole. */
  finish(transcribed: Transcribed): void;
  /** Null where no engine was asked; `whole` once it is. */
  read(): {
    readonly model: string;
    readonly engine: string;
    readonly audioInMs: number;
    readonly whole: boolean;
  } | null;
}

export function createHeard(): Heard {
  let asked: { readonly model: string; readonly engine: string } | null = null;
  let seconds = 0;
  let whole = false;
  return {
    watch: {
      onEngine: (engine, model) => (asked = { engine, model }),
      onProgress: ({ done }) => (seconds = done),
    },
    finish({ model, engine, seconds: all }) {
      asked = { model, engine };
      seconds = all;
      whole = true;
    },
    read: () => (asked === null ? null : { ...asked, audioInMs: Math.round(seconds * 1000), whole }),
  };
}
