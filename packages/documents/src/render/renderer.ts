import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Failures } from '../failures.ts';
import { inflateDocument, transferable } from '../pack.ts';
import type { ViewResponses, ViewRequest } from '../view/view.ts';
import type { Wanted } from './parsed.ts';
import type { RenderResult, RenderTask } from './thread.ts';

export interface RendererOptions {
  /** Documents that are rendered at the same time. */
  readonly size: number;
  /** Memory that one may take. */
  readonly heapMb: number;
  /** Time that one may take. */
  readonly timeoutMs: number;
  readonly failures: Failures;
}

/** Writes what was read of a document as a caller wants it. */
export interface DocumentRenderer {
  /** The result as JSON text in UTF-8. Rejects with the failures' `tooLarge` for a document that takes too much, `unavailable` at the end. */
  render(packed: Uint8Array, wanted: Wanted): Promise<Uint8Array>;
}

/** Answers questions about what was read of a document. */
export interface DocumentViewer {
  /** Answers a question about a document; `load` is called where no thread has it from before. Rejects with the same, and what `load` rejects with. */
  view<Kind extends ViewRequest['kind']>(
    document: { readonly id: string; readonly load: () => Promise<Uint8Array> },
    ask: Extract<ViewRequest, { kind: Kind }>,
  ): Promise<ViewResponses[Kind]>;
}

/** Threads that turn documents into replies, so that large ones hold nobody up. */
export interface Renderer extends DocumentRenderer, DocumentViewer {
  /** The same as a file: the text alone of formats that are text, JSON of the other. */
  write(packed: Uint8Array, wanted: Wanted): Promise<Uint8Array>;
  /** Ends the threads; what they do is refused. Safe to repeat. */
  close(): Promise<void>;
}

/** A task as it waits: the document is still packed. */
type QueuedTask =
  | { readonly packed: Uint8Array; readonly wanted: Wanted; readonly plain: boolean }
  | { readonly packed: Uint8Array | null; readonly id: string; readonly ask: ViewRequest };

interface Waiting {
  readonly task: QueuedTask;
  readonly resolve: (json: RenderResult) => void;
  readonly reject: (error: Error) => void;
}

async function threadTask(task: QueuedTask): Promise<RenderTask> {
  if ('wanted' in task) {
    const { packed, ...rest } = task;
    return { ...rest, json: await inflateDocument(packed) };
  }
  const { packed, ...rest } = task;
  return { ...rest, json: packed === null ? null : await inflateDocument(packed) };
}

export function createRenderer({ size, heapMb, timeoutMs, failures }: RendererOptions): Renderer {
  const tooMuch = (cause: unknown) =>
    failures.tooLarge('What was read is too large for this format. Ask for fewer pages.', cause);
  const stopping = () => failures.unavailable('The service is stopping.', 1);
  const waiting: Waiting[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  /** The document that a thread was asked about last. */
  const latest = new WeakMap<Worker, string>();
  let busy = 0;
  let closed = false;

  function start(): Worker {
    const thread = new Worker(join(import.meta.dirname, 'thread.ts'), {
      execArgv: ['--no-warnings'],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // It keeps no process alive, and an end between two documents is noticed by the next one.
    thread.unref();
    thread.on('error', () => undefined);
    all.add(thread);
    thread.once('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    return thread;
  }

  /** One document. Rejects when the thread ends of it. */
  function ask(thread: Worker, task: RenderTask): Promise<RenderResult> {
    const { promise, resolve, reject } = Promise.withResolvers<RenderResult>();
    const onExit = () => reject(new Error('the thread ended'));
    const clock = setTimeout(() => void thread.terminate(), timeoutMs);
    thread.once('message', resolve).once('error', reject).once('exit', onExit);
    thread.postMessage(task, task.json === null ? [] : transferable(task.json));
    return promise.finally(() => {
      clearTimeout(clock);
      thread.off('message', resolve).off('error', reject).off('exit', onExit);
    });
  }

  /** A thread that is free, if possible the one that has the document. */
  function pick(task: QueuedTask): Worker {
    const id = 'id' in task ? task.id : null;
    const at = id === null ? -1 : idle.findIndex((one) => latest.get(one) === id);
    const thread = idle.splice(at, 1)[0] ?? start();
    if (id === null) latest.delete(thread);
    else latest.set(thread, id);
    return thread;
  }

  function enqueue(task: QueuedTask): Promise<RenderResult> {
    if (closed) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject });
      next();
    });
  }

  async function work({ task, resolve, reject }: Waiting): Promise<void> {
    let unpacked: RenderTask;
    try {
      unpacked = await threadTask(task);
    } catch (error) {
      return reject(tooMuch(error));
    }
    if (closed) return reject(stopping());
    const thread = pick(task);
    try {
      const json = await ask(thread, unpacked);
      idle.push(thread);
      resolve(json);
    } catch (error) {
      await thread.terminate();
      reject(closed ? stopping() : tooMuch(error));
    }
  }

  function next(): void {
    while (busy < size) {
      const one = waiting.shift();
      if (one === undefined) return;
      busy++;
      void work(one).finally(() => {
        busy--;
        next();
      });
    }
  }

  return {
    async render(packed, wanted) {
      return (await enqueue({ packed, wanted, plain: false })) ?? new Uint8Array();
    },
    async write(packed, wanted) {
      return (await enqueue({ packed, wanted, plain: true })) ?? new Uint8Array();
    },
    async view({ id, load }, question) {
      const json =
        (await enqueue({ id, packed: null, ask: question })) ??
        (await enqueue({ id, packed: await load(), ask: question }));
      return JSON.parse(Buffer.from(json ?? 'null').toString('utf8'));
    },
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(stopping());
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}
