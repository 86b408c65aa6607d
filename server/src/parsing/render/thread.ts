import { parentPort } from 'node:worker_threads';
import { unpackDocument } from '../pack.ts';
import { type Opened, type ViewAsk, answerView, openView } from '../view/view.ts';
import { type Wanted, renderParsed } from './parsed.ts';

// A thread that renders documents, one at a time.

/** What the thread is asked. */
export type RenderTask =
  | { readonly packed: Uint8Array; readonly wanted: Wanted }
  /** Of a document that the thread may have from before, by its id: then nothing need be brought. */
  | { readonly packed: Uint8Array | null; readonly id: string; readonly ask: ViewAsk };

/** What the thread answers: JSON text in UTF-8; null where it does not have the document. */
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

function answer(task: RenderTask): unknown {
  if ('wanted' in task) {
    latest = null;
    return renderParsed(unpackDocument(task.packed), task.wanted);
  }
  const view = opened(task.id, task.packed);
  return view === null ? undefined : answerView(view, task.ask);
}

parentPort?.on('message', (task: RenderTask) => {
  const told = answer(task);
  const json = told === undefined ? null : new TextEncoder().encode(JSON.stringify(told));
  parentPort?.postMessage(json satisfies RenderAnswer, json === null ? [] : [json.buffer]);
});
