import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { StudioError } from '../kernel/errors.ts';

/** The cause of a problem: a stable name and values, for surfaces with texts of their own. */
export interface Cause {
  readonly code: ConsoleReason;
  readonly values: Readonly<Record<string, string | number>>;
}

export const causedBy = (code: ConsoleReason, values: Cause['values'] = {}): Cause => ({ code, values });

/** The cause of an error; null where it has no reason. All reasons of this feature are reasons of the console. */
export const causeOf = (error: unknown): Cause | null =>
  error instanceof StudioError && error.reason !== null
    ? { code: error.reason as ConsoleReason, values: error.values }
    : null;
