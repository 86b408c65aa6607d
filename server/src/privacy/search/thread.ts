import { parentPort } from 'node:worker_threads';
import { type FindPolicy, findPii } from '../find.ts';
import type { Finding } from '../finding.ts';

// A thread that looks for values in long texts, one at a time.

/** What the thread is asked. */
export interface SearchTask {
  readonly text: string;
  readonly policy: FindPolicy;
}

parentPort?.on('message', ({ text, policy }: SearchTask) => {
  parentPort?.postMessage(findPii(text, policy) satisfies readonly Finding[], []);
});
