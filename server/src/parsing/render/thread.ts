import { parentPort } from 'node:worker_threads';
import { unpackDocument } from '../pack.ts';
import { type Wanted, renderParsed } from './parsed.ts';

// A thread that renders documents, one at a time.

/** What the thread is asked. */
export interface RenderTask {
  readonly packed: Uint8Array;
  readonly wanted: Wanted;
}

parentPort?.on('message', ({ packed, wanted }: RenderTask) => {
  const json = new TextEncoder().encode(JSON.stringify(renderParsed(unpackDocument(packed), wanted)));
  parentPort?.postMessage(json, [json.buffer]);
});
