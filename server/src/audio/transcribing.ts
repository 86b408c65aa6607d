import type { TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { ModelCall } from '../inference/index.ts';
import type { TranscribeProgress } from '../ports/engine.ts';
import { transcribe, type Transcribed, type TranscribeDeps } from './transcribe.ts';

/** What comes of a recording while it is written down. */
export type TranscribeEvent =
  | { readonly type: 'progress'; readonly progress: TranscribeProgress }
  | { readonly type: 'done'; readonly transcribed: Transcribed };

/**
 * Writes down the speech of a file and tells of it as it comes; the last event is the whole. Throws what `transcribe` throws, at the first
 * event or later. Whoever breaks off aborts the signal of the call.
 */
export async function* transcribing(
  deps: TranscribeDeps,
  call: ModelCall,
  path: string,
  fields: Omit<TranscriptionFields, 'stream'>,
): AsyncGenerator<TranscribeEvent, void> {
  const events: TranscribeEvent[] = [];
  let wake: () => void = () => undefined;
  let over = false;
  const onProgress = (progress: TranscribeProgress) => {
    events.push({ type: 'progress', progress });
    wake();
  };
  const work = transcribe(deps, call, path, fields, onProgress).finally(() => {
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
