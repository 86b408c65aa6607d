import { parentPort } from 'node:worker_threads';
import { type FindPolicy, findPii } from '../find.ts';
import { packFindings } from './pack.ts';

// The thread that searches long texts, one at a time.

/** A message to the thread. */
export interface SearchTask {
  readonly text: string;
  readonly policy: FindPolicy;
}

parentPort?.on('message', ({ text, policy }: SearchTask) => {
  const packed = packFindings(findPii(text, policy));
  parentPort?.postMessage(packed, [packed.buffer]);
});
