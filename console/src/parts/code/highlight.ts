import type { CodeLanguage } from './languages.ts';
import type { Piece } from './pieces.ts';

/** Lines of coloured pieces. */
export type Tokens = readonly (readonly Piece[])[];

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: CodeLanguage;
}

/** `tokens` is null where the code could not be coloured. */
export interface HighlightResponse {
  readonly id: number;
  readonly tokens: Tokens | null;
}

type OnTokens = (tokens: Tokens | null) => void;

let worker: Worker | null = null;
let last = 0;
const pending = new Map<number, OnTokens>();

/** The only worker of the page, created with the first code block. */
function ensureWorker(): Worker {
  if (worker !== null) return worker;
  const started = new Worker(new URL('worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data: { id, tokens } }: MessageEvent<HighlightResponse>) => {
    pending.get(id)?.(tokens);
    pending.delete(id);
  });
  // Code without colours is still code.
  started.addEventListener('error', () => {
    for (const resolve of pending.values()) resolve(null);
    pending.clear();
    worker = null;
  });
  worker = started;
  return started;
}

/** Highlights code in the worker. Returns a function that cancels the callback. */
export function highlight(code: string, language: CodeLanguage, done: OnTokens): () => void {
  const id = ++last;
  pending.set(id, done);
  const request: HighlightRequest = { id, code, language };
  // A worker has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  ensureWorker().postMessage(request);
  return () => void pending.delete(id);
}
