import type { Transcribed, TranscribeWatch } from './transcribe.ts';

/** Usage of a transcription, also of one that was cancelled part-way. */
export interface TranscriptionUsage {
  readonly watch: TranscribeWatch;
  /** Records the finished transcription. */
  finish(transcribed: Transcribed): void;
  /** Null where there is nothing to count: no engine was called, or the call failed before any progress. */
  read(caller: Pick<AbortSignal, 'aborted'>): Counted | null;
}

interface Counted {
  readonly model: string;
  readonly engine: string;
  readonly audioInMs: number;
  readonly outcome: 'ok' | 'error' | 'canceled';
}

export function createTranscriptionUsage(): TranscriptionUsage {
  let lastEngine: { readonly model: string; readonly engine: string } | null = null;
  let seconds = 0;
  let isComplete = false;
  return {
    watch: {
      onEngine: (engine, model) => (lastEngine = { engine, model }),
      onProgress: ({ done }) => (seconds = done),
    },
    finish({ model, engine, seconds: total }) {
      lastEngine = { model, engine };
      seconds = total;
      isComplete = true;
    },
    read({ aborted }) {
      if (lastEngine === null || (!isComplete && !aborted && seconds === 0)) return null;
      const outcome = isComplete ? 'ok' : aborted ? 'canceled' : 'error';
      return { ...lastEngine, audioInMs: Math.round(seconds * 1000), outcome };
    },
  };
}
