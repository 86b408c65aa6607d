import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StudioError } from '../../kernel/errors.ts';
import { type FindPolicy, findPii } from '../find.ts';
import type { Finding } from '../finding.ts';
import type { SearchTask } from './thread.ts';

/** Finds personal values: in short texts directly, in long ones in a thread, so that they block nobody. */
export interface Search {
  /** Does what findPii does. Errors: `unavailable` when closed, or when the thread has ended. */
  find(text: string, policy: FindPolicy): Promise<readonly Finding[]>;
  /** Ends the thread; pending searches are rejected. Safe to repeat. */
  close(): Promise<void>;
}

/** UTF-16 units that are searched within a few milliseconds. */
const MAX_INLINE_LENGTH = 20_000;

const threadFailed = (cause?: unknown) =>
  new StudioError('unavailable', 'The text could not be looked through at the moment; try again', {
    retryAfterSeconds: 1,
    cause,
  });

/** Creates a search with one thread, which starts with the first long text; long texts are searched one after the other. */
export function createSearch(): Search {
  let thread: Worker | null = null;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  function startThread(): Worker {
    const worker = new Worker(join(import.meta.dirname, 'thread.ts'), { execArgv: ['--no-warnings'], env: {} });
    // The thread must not keep the process alive.
    worker.unref();
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (thread === worker) thread = null;
    });
    return worker;
  }

  function runInThread(task: SearchTask): Promise<readonly Finding[]> {
    if (closed) return Promise.reject(threadFailed());
    const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>();
    const worker = (thread ??= startThread());
    const onFailure = (cause: unknown) => reject(threadFailed(cause));
    worker.once('message', resolve).once('error', onFailure).once('exit', onFailure);
    worker.postMessage(task, []);
    return promise.finally(() => worker.off('message', resolve).off('error', onFailure).off('exit', onFailure));
  }

  return {
    find(text, policy) {
      if (text.length <= MAX_INLINE_LENGTH) return Promise.resolve(findPii(text, policy));
      const found = queue.then(() => runInThread({ text, policy }));
      queue = found.catch(() => undefined);
      return found;
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
