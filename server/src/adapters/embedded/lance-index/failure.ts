import { IndexError } from '../../../ports/search-index.ts';

// The engine says what went wrong in words alone.

/** Messages of storage that is temporarily unreachable or not writable. */
const UNAVAILABLE =
  /no space left|disk quota|quota exceeded|permission denied|read-only file system|too many open files|connection|connect error|timed? ?out|dispatch failure|error sending request|error performing|status: 5\d\d|status: 40[13]|access ?denied|forbidden|slow ?down|dns|retry limit|max retries|commit conflict|retryable|too many concurrent|preempted|out of memory|cannot allocate/i;
/** Messages of commit conflicts with another process; a retry succeeds. */
const CONFLICT = /commit conflict|retryable|too many concurrent|preempted|concurrent/i;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isConflict = (error: unknown): boolean => CONFLICT.test(messageOf(error));

/** Messages of invalid queries: our bug, not a state of the storage. */
const INVALID_QUERY = /sql parser|error during planning|schema error|nprobes/i;

/**
 * What the engine said, as an error of the port: what is not storage that is away lies in the table. An error that is ours comes back
 * as it is.
 */
export function indexError(table: string, error: unknown): Error {
  if (error instanceof IndexError) return error;
  const message = messageOf(error);
  if (error instanceof Error && INVALID_QUERY.test(message)) return error;
  const isMissing = /not found|no such file|does not exist|object at location|status: 404/i.test(message);
  const kind = !isMissing && UNAVAILABLE.test(message) ? 'unavailable' : 'lost';
  const short = message.split('\n', 1)[0]?.slice(0, 300) ?? '';
  return new IndexError(kind, table, `Table ${table} of the search index is ${kind}: ${short}`, error);
}
