import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { StudioError } from '../kernel/errors.ts';

/** Why something is not as it should be, by a stable name and what it speaks of: for surfaces with words of their own. */
export interface Cause {
  readonly code: ConsoleReason;
  readonly values: Readonly<Record<string, string | number>>;
}

export const causedBy = (code: ConsoleReason, values: Cause['values'] = {}): Cause => ({ code, values });

/** What a failure has a name for; null where it has none. Its name is one of the console's, as those of this feature are. */
export const causeOf = (error: unknown): Cause | null =>
  error instanceof StudioError && error.reason !== null
    ? { code: error.reason as ConsoleReason, values: error.values }
    : null;
