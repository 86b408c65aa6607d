import type { TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { TranscribeProgress } from '../ports/engine.ts';
import type { SpeechContext } from './models.ts';
import { transcribe, type Transcribed, type TranscribeDeps, type TranscribeWatch } from './transcribe.ts';

/** An event of a running transcription. */
export type TranscribeEvent =
  | { readonly type: 'progress'; readonly progress: TranscribeProgress }
  | { readonly type: 'done'; readonly transcribed: Transcribed };

/**
 * Transcribes the speech of a file and yields events; the last one is the transcript. Throws what `transcribe` throws, at the first
 * event or later. A caller that stops reading aborts the signal of the context.
 */
export async function* transcribing(
  deps: TranscribeDeps,
  context: SpeechContext,
  path: string,
  fields: Omit<TranscriptionFields, 'stream'>,
  callbacks: TranscribeWatch = {},
): AsyncGenerator<TranscribeEvent, void> {
  const events: TranscribeEvent[] = [];
  let wake: () => void = () => undefined;
  let isFinished = false;
  const onProgress = (progress: TranscribeProgress) => {
    callbacks.onProgress?.(progress);
    events.push({ type: 'progress', progress });
    wake();
  };
  const result = transcribe(deps, context, path, fields, { ...callbacks, onProgress }).finally(() => {
    isFinished = true;
    wake();
  });
  // Its failure is thrown below.
  result.catch(() => undefined);
  for (;;) {
    const event = events.shift();
    if (event !== undefined) yield event;
    else if (isFinished) break;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  yield { type: 'done', transcribed: await result };
}
