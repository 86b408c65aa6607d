import type { Transcribed, TranscribeWatch } from './transcribe.ts';

/** What a transcription is counted by, as far as it has come: one that is broken off has been heard in part. */
export interface TranscriptionUsage {
  readonly watch: TranscribeWatch;
  /** Once it is whole. */
  finish(transcribed: Transcribed): void;
  /** Null where there is nothing to count: no engine was asked, or the call failed before anything was heard. */
  read(caller: Pick<AbortSignal, 'aborted'>): Counted | null;
}

interface Counted {
  readonly model: string;
  readonly engine: string;
  readonly audioInMs: number;
  readonly outcome: 'ok' | 'error' | 'canceled';
}

export function createTranscriptionUsage(): TranscriptionUsage {
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
    read({ aborted }) {
      if (asked === null || (!whole && !aborted && seconds === 0)) return null;
      const outcome = whole ? 'ok' : aborted ? 'canceled' : 'error';
      return { ...asked, audioInMs: Math.round(seconds * 1000), outcome };
    },
  };
}
