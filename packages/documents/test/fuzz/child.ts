import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { outcomeOf } from './outcome.ts';

// A process that reads damaged files, one at a time, as one of them may never come to an end.

/** What is to be read: the file, or its first bytes. */
export interface Task {
  readonly path: string;
  readonly name: string;
  readonly length?: number;
  /** Text in pictures is recognised. */
  readonly ocr?: boolean;
}

let first = true;
process.on('message', ({ path, name, length, ocr }: Task) => {
  // A copy that owns its memory: whoever reads past the end of it is found out.
  const bytes = Uint8Array.from(readFileSync(path).subarray(0, length));
  const startedMs = performance.now();
  void outcomeOf(bytes, name, ocr).then((outcome) => {
    process.send?.({ outcome, ms: performance.now() - startedMs });
    // Nobody waits for it now, and it is killed at its end.
    if (first) flushCompileCache();
    first = false;
  });
});
process.on('disconnect', () => process.exit(0));
