import { StudioError } from './errors.ts';

/** errno(3); PostgreSQL, appendix A (disk_full). */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** As engines say it that have words only. */
const WORDS = /no space left on device|disk quota exceeded/i;
const MAX_DEPTH = 5;

const RETRY_SECONDS = 30;

/** Whether something failed because there is no room left to write: the file system's, the database's or an engine's words for it. */
export function isDiskFull(error: unknown): boolean {
  let one = error;
  for (let depth = 0; depth < MAX_DEPTH && one instanceof Error; depth++) {
    if (CODES.has((one as NodeJS.ErrnoException).code) || WORDS.test(one.message)) return true;
    one = one.cause;
  }
  return false;
}

/** That nothing can be written, as callers are told. */
export const diskFull = (cause: unknown): StudioError =>
  new StudioError('unavailable', 'The storage of the service is full; nothing can be written until there is room', {
    reason: 'disk_full',
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
