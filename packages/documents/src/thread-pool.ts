import { Worker } from 'node:worker_threads';

export interface ThreadPoolOptions {
  /** The program of each thread, which answers each message with one. */
  readonly file: string;
  /** Threads. */
  readonly size: number;
  /** Memory that each may take. */
  readonly heapMb: number;
  /** Time that one task may take. */
  readonly timeoutMs: number;
  /** Time without a task after which a thread ends and gives its memory back; 30 s where it is left out. */
  readonly idleMs?: number;
  /** What each thread gets at its start. */
  readonly workerData?: unknown;
  /** The error of a task that took too much time or memory, or whose thread ended. */
  readonly tooLarge: (cause: unknown) => Error;
  /** The error of tasks that the end of the pool has refused or cut off. */
  readonly stopping: () => Error;
}

/** A message as a thread gets it, and the buffers that move there with it. */
export interface ThreadMessage<Task> {
  readonly task: Task;
  readonly transfer: readonly ArrayBuffer[];
}

export interface PooledTask<Task> {
  /** Called once a thread is free for it, so that what waits takes no memory. Its rejection is that of the task. */
  readonly prepare: () => Promise<ThreadMessage<Task>>;
  /** Whether it goes before those that are not. */
  readonly urgent?: boolean;
  /** Ends the task, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** A thread whose last task had the same key is taken, where it is free: it may have kept what both need. */
  readonly key?: string;
  /** The error where it took too much, in place of that of the pool. */
  readonly tooLarge?: (cause: unknown) => Error;
}

/** A thread that nobody asks holds some 60 MB; a new one is there within some tenths of a second. */
const IDLE_MS = 30_000;

/**
 * Threads that do one task each at a time. They start on demand, end where there is none for a while, keep no process alive, and are
 * replaced where they end.
 */
export interface ThreadPool<Task, Reply> {
  run(task: PooledTask<Task>): Promise<Reply>;
  /** Ends the threads; what they do is refused. Safe to repeat. */
  close(): Promise<void>;
}

interface Waiting<Task, Reply> extends PooledTask<Task> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

export function createThreadPool<Task, Reply>(options: ThreadPoolOptions): ThreadPool<Task, Reply> {
  const { file, size, heapMb, timeoutMs, idleMs = IDLE_MS, workerData, tooLarge, stopping } = options;
  const urgent: Waiting<Task, Reply>[] = [];
  const normal: Waiting<Task, Reply>[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const lastKeys = new WeakMap<Worker, string | undefined>();
  const idleTimers = new WeakMap<Worker, NodeJS.Timeout>();
  /** Threads that are made to end: they may still answer what they did last, and do nothing more. */
  const ending = new WeakSet<Worker>();
  let busy = 0;
  let closed = false;

  function start(): Worker {
    const limits = { maxOldGenerationSizeMb: heapMb };
    const thread = new Worker(file, { execArgv: ['--no-warnings'], env: {}, workerData, resourceLimits: limits });
    thread.unref();
    // The end of a thread between two tasks is noticed by the next one.
    thread.on('error', () => undefined);
    all.add(thread);
    thread.once('exit', () => {
      all.delete(thread);
      forget(thread);
    });
    return thread;
  }

  /** Takes a thread out of those that wait for a task. */
  function forget(thread: Worker): void {
    clearTimeout(idleTimers.get(thread));
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  }

  async function end(thread: Worker): Promise<void> {
    ending.add(thread);
    forget(thread);
    await thread.terminate();
  }

  /** Keeps a thread for the next task, for a while. */
  function release(thread: Worker): void {
    if (ending.has(thread)) return;
    idle.push(thread);
    idleTimers.set(thread, setTimeout(() => void end(thread), idleMs).unref());
  }

  function take(key: string | undefined): Worker {
    const at = key === undefined ? -1 : idle.findIndex((thread) => lastKeys.get(thread) === key);
    const thread = idle.at(at) ?? start();
    forget(thread);
    lastKeys.set(thread, key);
    return thread;
  }

  /** Rejects when the thread ends of the task. */
  function ask(thread: Worker, { task, transfer }: ThreadMessage<Task>, signal?: AbortSignal): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const onExit = () => reject(new Error('the thread ended'));
    const stop = () => void end(thread);
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    thread.once('message', resolve).once('error', reject).once('exit', onExit);
    try {
      thread.postMessage(task, transfer);
    } catch (error) {
      // What cannot be copied, such as lists thousands deep.
      reject(error);
    }
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      thread.off('message', resolve).off('error', reject).off('exit', onExit);
    });
  }

  async function work({ prepare, signal, key, tooLarge: ownTooLarge = tooLarge }: PooledTask<Task>): Promise<Reply> {
    // Nobody waits for it any more.
    signal?.throwIfAborted();
    const message = await prepare();
    signal?.throwIfAborted();
    if (closed) throw stopping();
    const thread = take(key);
    try {
      const reply = await ask(thread, message, signal);
      release(thread);
      return reply;
    } catch (error) {
      await end(thread);
      signal?.throwIfAborted();
      throw closed ? stopping() : ownTooLarge(error);
    }
  }

  function dispatch(): void {
    while (busy < size) {
      const next = urgent.shift() ?? normal.shift();
      if (next === undefined) return;
      busy++;
      const done = work(next).finally(() => {
        busy--;
        dispatch();
      });
      done.then(next.resolve, next.reject);
    }
  }

  return {
    run(task) {
      if (closed) return Promise.reject(stopping());
      return new Promise((resolve, reject) => {
        (task.urgent === true ? urgent : normal).push({ ...task, resolve, reject });
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of [...urgent.splice(0), ...normal.splice(0)]) reject(stopping());
      await Promise.all([...all].map(end));
    },
  };
}
