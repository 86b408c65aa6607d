import { join } from 'node:path';
import { partsOf } from '@ai-studio/documents';
import { StudioError } from '../../kernel/errors.ts';
import { createTaskThread } from '../task-thread.ts';
import type { CountTask } from './thread.ts';

/** Counts the tokens of texts in a thread: the tables of the encoding are large, and a long text takes seconds. */
export interface TokenCounter {
  /** Tokens of a text. Parts of texts take turns. Errors: `unavailable` when closed, or when the thread has ended. */
  count(text: string): Promise<number>;
  /** Ends the thread; what waits is rejected. Safe to repeat. */
  close(): Promise<void>;
}

const threadFailed = (cause?: unknown) =>
  new StudioError('unavailable', 'The text could not be counted at the moment; try again', {
    retryAfterSeconds: 1,
    cause,
  });

/** Creates a counter with one thread, which starts with the first text. */
export function createTokenCounter(): TokenCounter {
  const thread = createTaskThread<CountTask, number>(join(import.meta.dirname, 'thread.ts'), threadFailed);
  return {
    async count(text) {
      let sum = 0;
      for (const part of partsOf(text)) sum += await thread.do(part);
      return sum;
    },
    close: () => thread.close(),
  };
}
