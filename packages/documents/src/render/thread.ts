import { parentPort } from 'node:worker_threads';
import { parseDocument } from '../pack.ts';
import { makeDocument, type MakeJob, type MakeResult } from '../write/make.ts';
import { type OpenedDocument, type ViewRequest, handleViewRequest, openView } from '../view/view.ts';
import { type WantedForm, renderWanted } from './forms.ts';

// A thread that renders and writes documents, one at a time.

/** A task for the thread; `json` is the document as {@link parseDocument} reads it. */
export type RenderTask =
  /** `plain`: the text alone, of formats that are text. */
  | { readonly json: Uint8Array; readonly wanted: WantedForm; readonly plain: boolean }
  /** Of a document that the thread may have from before, by its id: then nothing need be brought. */
  | { readonly json: Uint8Array | null; readonly id: string; readonly ask: ViewRequest }
  | { readonly make: MakeJob };

/** JSON text, or the requested text, in UTF-8; null where the thread does not have the document. Of a file to make what became of it. */
export type RenderResult = Uint8Array | MakeResult | null;

/** Cache of the last document: people page through one, which then stays unpacked. */
let latest: { readonly id: string; readonly opened: OpenedDocument } | null = null;

function openDocument(id: string, json: Uint8Array | null): OpenedDocument | null {
  if (latest?.id === id) return latest.opened;
  // Two documents at the same time may be too much.
  latest = null;
  if (json === null) return null;
  latest = { id, opened: openView(parseDocument(json)) };
  return latest.opened;
}

function answerTask(task: Exclude<RenderTask, { make: MakeJob }>): string | null {
  if ('wanted' in task) {
    latest = null;
    return renderWanted(parseDocument(task.json), task.wanted, task.plain);
  }
  const view = openDocument(task.id, task.json);
  return view === null ? null : JSON.stringify(handleViewRequest(view, task.ask));
}

async function answerMake(job: MakeJob): Promise<void> {
  latest = null;
  const made = await makeDocument(job);
  parentPort?.postMessage(made satisfies RenderResult, []);
}

parentPort?.on('message', (task: RenderTask) => {
  if ('make' in task) {
    void answerMake(task.make);
    return;
  }
  const text = answerTask(task);
  const bytes = text === null ? null : new TextEncoder().encode(text);
  parentPort?.postMessage(bytes satisfies RenderResult, bytes === null ? [] : [bytes.buffer]);
});
