import { join } from 'node:path';
import { StudioError } from '../../kernel/errors.ts';
import { type FindPolicy, findPii } from '../find.ts';
import type { Finding } from '../finding.ts';
import { createTaskThread } from '../task-thread.ts';
import { type PackedFindings, unpackFindings } from './pack.ts';
import type { SearchTask } from './thread.ts';

/** Finds personal values in texts. */
export interface ValueFinder {
  /** Does what findPii does, short texts at once. Rejects with StudioError `unavailable` when closed, or when the thread has ended. */
  find(text: string, policy: FindPolicy): readonly Finding[] | Promise<readonly Finding[]>;
}

/** Finds personal values: in short texts directly, in long ones in a thread, so that they block nobody. */
export interface Search extends ValueFinder {
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
  const thread = createTaskThread<SearchTask, PackedFindings>(join(import.meta.dirname, 'thread.ts'), threadFailed);
  return {
    find(text, policy) {
      if (text.length <= MAX_INLINE_LENGTH) return findPii(text, policy);
      return thread.do({ text, policy }).then(unpackFindings);
    },
    close: () => thread.close(),
  };
}
