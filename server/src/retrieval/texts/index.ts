import { join } from 'node:path';
import {
  type EncodingName,
  type ThreadMessage,
  createThreadPool,
  inflateDocument,
  transferable,
} from '@ai-studio/documents';
import { StudioError } from '../../kernel/errors.ts';
import type { Results, Task, ThreadTask } from './tasks.ts';

export type { ChunkCap, CutChunk, CutResult } from './tasks.ts';

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

type Answer = { readonly result: unknown } | { readonly failed: string };

const stopping = () => new StudioError('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });

async function messageOf(task: Task): Promise<ThreadMessage<ThreadTask>> {
  if (task.type !== 'cut') return { task, transfer: [] };
  const { packed, ...rest } = task;
  const json = await inflateDocument(packed);
  return { task: { ...rest, json }, transfer: transferable(json) };
}

export function createTextWorkers({ encoding, ...limits }: TextWorkersOptions): TextWorkers {
  const pool = createThreadPool<ThreadTask, Answer>({
    ...limits,
    file: join(import.meta.dirname, 'thread.ts'),
    workerData: encoding,
    tooLarge: (cause) => new TextsTooLarge(cause),
    stopping,
  });
  return {
    async do(task, options) {
      const answer = await pool.run({ ...options, prepare: () => messageOf(task) });
      if ('failed' in answer) throw new Error(answer.failed);
      return answer.result as never;
    },
    close: () => pool.close(),
  };
}
