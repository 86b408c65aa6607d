import { join } from 'node:path';
import type { Failures } from '../failures.ts';
import { inflateDocument, transferable } from '../pack.ts';
import { type ThreadMessage, createThreadPool } from '../thread-pool.ts';
import type { WantedForm } from './forms.ts';
import type { Wanted } from './parsed.ts';
import { ParseError } from '../parse-error.ts';
import type { MadeDocument, MakeJob } from '../write/make.ts';
import type { ViewResponses, ViewRequest } from '../view/view.ts';
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
  /** The result as JSON text in UTF-8, or as the text itself where a form says so. Rejects with the failures' `tooLarge` for a document that takes too much, `unavailable` at the end. */
  render(packed: Uint8Array, wanted: WantedForm): Promise<Uint8Array>;
}

/** Answers questions about what was read of a document. */
export interface DocumentViewer {
  /** Answers a question about a document; `load` is called where no thread has it from before. Rejects with the same, and what `load` rejects with. */
  view<Kind extends ViewRequest['kind']>(
    document: { readonly id: string; readonly load: () => Promise<Uint8Array> },
    ask: Extract<ViewRequest, { kind: Kind }>,
  ): Promise<ViewResponses[Kind]>;
}

/** Makes files of Word and Hancom Office. */
export interface DocumentMaker {
  /** A file of a text, or of a template and its data. Rejects with ParseError for what can't be made, or takes too much, and with `unavailable` at the end. */
  make(job: MakeJob): Promise<MadeDocument>;
}

/** Threads that turn documents into replies and texts into files, so that large ones hold nobody up. */
export interface Renderer extends DocumentRenderer, DocumentViewer, DocumentMaker {
  /** The same as a file: the text alone of formats that are text, JSON of the other. */
  write(packed: Uint8Array, wanted: Wanted): Promise<Uint8Array>;
  /** Ends the threads; what they do is refused. Safe to repeat. */
  close(): Promise<void>;
}

/** A task as it waits: the document is still packed. */
type QueuedTask =
  | { readonly make: MakeJob }
  | { readonly packed: Uint8Array; readonly wanted: WantedForm; readonly plain: boolean }
  | { readonly packed: Uint8Array | null; readonly id: string; readonly ask: ViewRequest };

async function messageOf(task: QueuedTask): Promise<ThreadMessage<RenderTask>> {
  if ('make' in task) return { task, transfer: [] };
  if ('wanted' in task) {
    const { packed, ...rest } = task;
    const json = await inflateDocument(packed);
    return { task: { ...rest, json }, transfer: transferable(json) };
  }
  const { packed, ...rest } = task;
  const json = packed === null ? null : await inflateDocument(packed);
  return { task: { ...rest, json }, transfer: json === null ? [] : transferable(json) };
}

export function createRenderer({ failures, ...limits }: RendererOptions): Renderer {
  const tooLarge = (cause: unknown) =>
    failures.tooLarge('What was read is too large for this format. Ask for fewer pages.', cause);
  const pool = createThreadPool<RenderTask, RenderResult>({
    ...limits,
    file: join(import.meta.dirname, 'thread.ts'),
    tooLarge,
    stopping: () => failures.unavailable('The service is stopping.', 1),
  });

  const run = (task: QueuedTask) =>
    pool.run({
      prepare: () =>
        messageOf(task).catch((error: unknown) => {
          throw tooLarge(error);
        }),
      ...('id' in task ? { key: task.id } : {}),
    });

  const tooMuch = (cause?: unknown) =>
    new ParseError('TOO_LARGE', 'The file takes too much time or memory to make. Make it of less.', { cause });

  const bytesOf = async (task: QueuedTask): Promise<Uint8Array | null> => {
    const reply = await run(task);
    return reply instanceof Uint8Array ? reply : null;
  };

  return {
    async make(job) {
      const reply = await pool.run({ prepare: () => messageOf({ make: job }), tooLarge: tooMuch });
      if (reply === null || reply instanceof Uint8Array) throw tooMuch();
      if ('refused' in reply) throw new ParseError(reply.refused.code, reply.refused.message);
      return reply.made;
    },
    async render(packed, wanted) {
      return (await bytesOf({ packed, wanted, plain: false })) ?? new Uint8Array();
    },
    async write(packed, wanted) {
      return (await bytesOf({ packed, wanted, plain: true })) ?? new Uint8Array();
    },
    async view({ id, load }, question) {
      const json =
        (await bytesOf({ id, packed: null, ask: question })) ??
        (await bytesOf({ id, packed: await load(), ask: question }));
      return JSON.parse(Buffer.from(json ?? 'null').toString('utf8'));
    },
    close: () => pool.close(),
  };
}
