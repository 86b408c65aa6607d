import type { TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { TranscribeProgress } from '../ports/engine.ts';
import type { SpeechContext } from './models.ts';
import { transcribe, type Transcribed, type TranscribeDeps, type TranscribeWatch } from './transcribe.ts';

/** What comes of a recording while it is written down. */
export type TranscribeEvent =
  | { readonly type: 'progress'; readonly progress: TranscribeProgress }
  | { readonly type: 'done'; readonly transcribed: Transcribed };

/**
 * Writes down the speech of a file and tells of it as it comes; the last event is the whole. Throws what `transcribe` throws, at the first
 * event or later. Whoever breaks off aborts the signal of the context.
 */
export async function* transcribing(
  deps: TranscribeDeps,
  context: SpeechContext,
  path: string,
  fields: Omit<TranscriptionFields, 'stream'>,
  watch: TranscribeWatch = {},
): AsyncGenerator<TranscribeEvent, void> {
  const events: TranscribeEvent[] = [];
  let wake: () => void = () => undefined;
  let over = false;
  const onProgress = (progress: TranscribeProgress) => {
    watch.onProgress?.(progress);
    events.push({ type: 'progress', progress });
    wake();
  };
  const work = transcribe(deps, context, path, fields, { ...watch, onProgress }).finally(() => {
    over = true;
    wake();
  });
  // Its failure is thrown below.
  work.catch(() => undefined);
  for (;;) {
    const event = events.shift();
    if (event !== undefined) yield event;
    else if (over) break;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  yield { type: 'done', transcribed: await work };
}
