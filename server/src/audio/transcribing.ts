import type { TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { SpokenSegment } from '../ports/engine.ts';
import type { SpeechContext } from './models.ts';
import { transcribe, type Transcribed, type TranscribeDeps } from './transcribe.ts';

/** What comes of a recording while it is written down. */
export type TranscribeEvent =
  | { readonly type: 'segment'; readonly segment: SpokenSegment; readonly share: number }
  | { readonly type: 'done'; readonly transcribed: Transcribed };

/**
 * Writes down the speech of a file and tells of it as it comes; the last event is the whole. Throws what `transcribe` throws, at the first
 * event or later.
 */
export async function* transcribing(
  deps: TranscribeDeps,
  context: SpeechContext,
  path: string,
  fields: Omit<TranscriptionFields, 'stream'>,
): AsyncGenerator<TranscribeEvent, void> {
  const events: TranscribeEvent[] = [];
  let wake: () => void = () => undefined;
  let over = false;
  const work = transcribe(deps, context, path, fields, (segment, share) => {
    events.push({ type: 'segment', segment, share });
    wake();
  }).finally(() => {
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
