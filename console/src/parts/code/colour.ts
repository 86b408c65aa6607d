import type { ThemedToken } from 'shiki/core';
import type { CodeLanguage } from './languages.ts';

/** Lines of coloured pieces. */
export type Tokens = readonly (readonly ThemedToken[])[];

export interface ColourQuestion {
  readonly id: number;
  readonly code: string;
  readonly language: CodeLanguage;
}

/** `tokens` is null where the code could not be coloured. */
export interface ColourAnswer {
  readonly id: number;
  readonly tokens: Tokens | null;
}

type Waiting = (tokens: Tokens | null) => void;

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, Waiting>();

/** The one worker of the page, begun with the first code. */
function open(): Worker {
  if (worker !== null) return worker;
  const begun = new Worker(new URL('worker.ts', import.meta.url), { type: 'module' });
  begun.addEventListener('message', ({ data: { id, tokens } }: MessageEvent<ColourAnswer>) => {
    waiting.get(id)?.(tokens);
    waiting.delete(id);
  });
  // Code without colours is still code.
  begun.addEventListener('error', () => {
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
    worker = null;
  });
  worker = begun;
  return begun;
}

/** Colours code beside the page. Returns what ends the waiting for it. */
export function colour(code: string, language: CodeLanguage, done: Waiting): () => void {
  const id = ++last;
  waiting.set(id, done);
  const question: ColourQuestion = { id, code, language };
  // A worker has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  open().postMessage(question);
  return () => void waiting.delete(id);
}
