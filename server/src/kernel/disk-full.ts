import { StudioError } from './errors.ts';

/** errno(3); PostgreSQL, appendix A (disk_full). */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** Messages of engines that have no error code. */
const MESSAGES = /no space left on device|disk quota exceeded/i;
const MAX_DEPTH = 5;

const RETRY_SECONDS = 30;

/** Whether an error means a full disk: of the file system, the database or an engine. */
export function isDiskFull(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
    if (CODES.has((current as NodeJS.ErrnoException).code) || MESSAGES.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}

/** The error for callers when the disk is full. */
export const diskFull = (cause: unknown): StudioError =>
  new StudioError('unavailable', 'The storage of the service is full; nothing can be written until there is room', {
    reason: 'disk_full',
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
