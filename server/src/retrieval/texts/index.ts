import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type EncodingName, inflateDocument, transferable } from '@ai-studio/documents';
import { StudioError } from '../../kernel/errors.ts';
import type { Results, Task, ThreadTask } from './tasks.ts';

export type { CutChunk } from './tasks.ts';

export interface TextWorkersOptions {
  /** Threads. */
  readonly size: number;
  /** Memory that each may take. */
  readonly heapMb: number;
  /** Time that one task may take. */
  readonly timeoutMs: number;
  /** By which tokens are counted. */
  readonly encoding: EncodingName;
}

/** Worker threads that chunk, analyze and count tokens, so that long texts block no request. */
export interface TextWorkers {
  /**
   * Does the task once a thread is free; those with `urgent` come first. Rejects with TextsTooLarge where it took too much time or
   * memory, the signal's reason, StudioError `unavailable` at the end.
   */
  do<T extends Task>(
    task: T,
    options?: { readonly urgent?: boolean; readonly signal?: AbortSignal },
  ): Promise<Results[T['type']]>;
  /** Ends the threads; what they do is refused. Safe to repeat. */
  close(): Promise<void>;
}

/** A task took more time or memory than one may. */
export class TextsTooLarge extends Error {
  constructor(cause: unknown) {
    super('a task on texts took too much time or memory', { cause });
    this.name = 'TextsTooLarge';
  }
}

interface Waiting {
  readonly task: Task;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

type Answer = { readonly result: never } | { readonly failed: string };

const stopping = () => new StudioError('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });

async function threadTask(task: Task): Promise<ThreadTask> {
  if (task.type !== 'cut') return task;
  const { packed, ...rest } = task;
  return { ...rest, json: await inflateDocument(packed) };
}

export function createTextWorkers({ size, heapMb, timeoutMs, encoding }: TextWorkersOptions): TextWorkers {
  const urgent: Waiting[] = [];
  const normal: Waiting[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let busy = 0;
  let closed = false;

  function start(): Worker {
    const thread = new Worker(join(import.meta.dirname, 'thread.ts'), {
      execArgv: ['--no-warnings'],
      env: {},
      workerData: encoding,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // It keeps no process alive; a thread that exits between two tasks is replaced on demand.
    thread.unref();
    thread.on('error', () => undefined);
    all.add(thread);
    thread.once('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    return thread;
  }

  /** One task. Rejects when the thread ends of it. */
  function runTask(thread: Worker, task: ThreadTask, signal: AbortSignal | undefined): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const onExit = () => reject(new Error('the thread ended'));
    const end = () => void thread.terminate();
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    thread.once('message', resolve).once('error', reject).once('exit', onExit);
    thread.postMessage(task, 'json' in task ? transferable(task.json) : []);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      thread.off('message', resolve).off('error', reject).off('exit', onExit);
    });
  }

  async function work(one: Waiting): Promise<void> {
    const { signal, resolve, reject } = one;
    const isGone = () => signal?.aborted === true;
    // Nobody waits for it any more.
    if (isGone()) return reject(signal?.reason);
    let task: ThreadTask;
    try {
      task = await threadTask(one.task);
    } catch (error) {
      return reject(error);
    }
    if (isGone()) return reject(signal?.reason);
    if (closed) return reject(stopping());
    const thread = idle.pop() ?? start();
    try {
      const answer = await runTask(thread, task, signal);
      idle.push(thread);
      if ('result' in answer) resolve(answer.result);
      else reject(new Error(answer.failed));
    } catch (error) {
      await thread.terminate();
      if (isGone()) reject(signal?.reason);
      else reject(closed ? stopping() : new TextsTooLarge(error));
    }
  }

  function dispatch(): void {
    while (busy < size) {
      const one = urgent.shift() ?? normal.shift();
      if (one === undefined) return;
      busy++;
      void work(one).finally(() => {
        busy--;
        dispatch();
      });
    }
  }

  return {
    do(task, { urgent: now = false, signal } = {}) {
      if (closed) return Promise.reject(stopping());
      return new Promise((resolve, reject) => {
        (now ? urgent : normal).push({ task, signal, resolve, reject });
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of [...urgent.splice(0), ...normal.splice(0)]) reject(stopping());
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}
