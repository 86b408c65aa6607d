import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StudioError } from '../../kernel/errors.ts';
import { type FindPolicy, findPii } from '../find.ts';
import type { Finding } from '../finding.ts';
import type { SearchTask } from './thread.ts';

/** Looks for values: in short texts at once, in long ones in a thread, so that they hold nobody up. */
export interface Search {
  /** As findPii. Errors: `unavailable`, at the end or when the thread ended. */
  find(text: string, policy: FindPolicy): Promise<readonly Finding[]>;
  /** Ends the thread; what waits is refused. Safe to repeat. */
  close(): Promise<void>;
}

/** Units that take a few milliseconds at most. */
const SHORT = 20_000;

const noThread = (cause?: unknown) =>
  new StudioError('unavailable', 'The text could not be looked through at the moment; try again', {
    retryAfterSeconds: 1,
    cause,
  });

/** One thread, which starts with the first long text; long texts wait for each other. */
export function createSearch(): Search {
  let thread: Worker | null = null;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = new Worker(join(import.meta.dirname, 'thread.ts'), { execArgv: ['--no-warnings'], env: {} });
    // It keeps no process alive.
    started.unref();
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (thread === started) thread = null;
    });
    return started;
  }

  function ask(task: SearchTask): Promise<readonly Finding[]> {
    if (closed) return Promise.reject(noThread());
    const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>();
    const worker = (thread ??= start());
    const onEnd = (cause: unknown) => reject(noThread(cause));
    worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
    worker.postMessage(task, []);
    return promise.finally(() => worker.off('message', resolve).off('error', onEnd).off('exit', onEnd));
  }

  return {
    find(text, policy) {
      if (text.length <= SHORT) return Promise.resolve(findPii(text, policy));
      const found = last.then(() => ask({ text, policy }));
      last = found.catch(() => undefined);
      return found;
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
