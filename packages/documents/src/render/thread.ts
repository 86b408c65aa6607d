import { parentPort } from 'node:worker_threads';
import { unpackDocument } from '../pack.ts';
import { type Opened, type ViewAsk, answerView, openView } from '../view/view.ts';
import { type Wanted, renderParsed } from './parsed.ts';

// A thread that renders documents, one at a time.

/** What the thread is asked. */
export type RenderTask =
  /** `plain`: the text alone, of formats that are text. */
  | { readonly packed: Uint8Array; readonly wanted: Wanted; readonly plain: boolean }
  /** Of a document that the thread may have from before, by its id: then nothing need be brought. */
  | { readonly packed: Uint8Array | null; readonly id: string; readonly ask: ViewAsk };

/** What the thread answers: JSON text, or the text that was asked for, in UTF-8; null where it does not have the document. */
export type RenderAnswer = Uint8Array | null;

/** People turn the pages of a document: the one that was looked at last stays unpacked. */
let latest: { readonly id: string; readonly opened: Opened } | null = null;

function opened(id: string, packed: Uint8Array | null): Opened | null {
  if (latest?.id === id) return latest.opened;
  // Two documents at the same time may be too much.
  latest = null;
  if (packed === null) return null;
  latest = { id, opened: openView(unpackDocument(packed)) };
  return latest.opened;
}

function answer(task: RenderTask): string | null {
  if ('wanted' in task) {
    latest = null;
    const parsed = renderParsed(unpackDocument(task.packed), task.wanted);
    return task.plain && parsed.contents !== undefined ? parsed.contents : JSON.stringify(parsed);
  }
  const view = opened(task.id, task.packed);
  return view === null ? null : JSON.stringify(answerView(view, task.ask));
}

parentPort?.on('message', (task: RenderTask) => {
  const told = answer(task);
  const bytes = told === null ? null : new TextEncoder().encode(told);
  parentPort?.postMessage(bytes satisfies RenderAnswer, bytes === null ? [] : [bytes.buffer]);
});
