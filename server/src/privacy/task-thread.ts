import { Worker } from 'node:worker_threads';

/** A thread that does one task after the other. */
export interface TaskThread<T, R> {
  /** Rejects with what `failed` makes of it when closed, or when the thread has ended. */
  do(task: T): Promise<R>;
  /** Ends the thread; what waits is rejected. Safe to repeat. */
  close(): Promise<void>;
}

/** Time without a task after which the thread ends and gives its memory back; a new one is there within some tenths of a second. */
const IDLE_MS = 30_000;

/**
 * Creates a thread of a file that answers each message with one. It starts with the first task, again where it ended, and ends where
 * there is no task for a while.
 */
export function createTaskThread<T, R>(
  file: string,
  failed: (cause?: unknown) => Error,
  idleMs: number = IDLE_MS,
): TaskThread<T, R> {
  let thread: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const worker = new Worker(file, { execArgv: ['--no-warnings'], env: {} });
    // The thread must not keep the process alive.
    worker.unref();
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (thread === worker) thread = null;
    });
    return worker;
  }

  function run(task: T): Promise<R> {
    if (closed) return Promise.reject(failed());
    clearTimeout(idleTimer);
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const worker = (thread ??= start());
    const onFailure = (cause: unknown) => reject(failed(cause));
    worker.once('message', resolve).once('error', onFailure).once('exit', onFailure);
    worker.postMessage(task, []);
    return promise.finally(() => {
      worker.off('message', resolve).off('error', onFailure).off('exit', onFailure);
      endWhenIdle();
    });
  }

  function endWhenIdle(): void {
    clearTimeout(idleTimer);
    const end = () => {
      const worker = thread;
      thread = null;
      void worker?.terminate();
    };
    idleTimer = setTimeout(end, idleMs).unref();
  }

  return {
    do(task) {
      const done = queue.then(() => run(task));
      queue = done.catch(() => undefined);
      return done;
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
