import { sql } from 'kysely';
import type { Logger } from '../../kernel/log.ts';
import type { Database, DatabaseDeps } from '../../ports/database.ts';

const INTERVAL_MS = 600_000;

/** Removes expired sessions with their values. Returns how many. */
export async function removeExpired({ db }: DatabaseDeps): Promise<number> {
  const { numDeletedRows } = await db.query
    .deleteFrom('privacy_sessions')
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes expired sessions now and every ten minutes. Returns a function that stops it, which is safe to repeat. */
export function startRemovingExpired(deps: { readonly db: Database; readonly log: Logger }): () => Promise<void> {
  let pending: Promise<unknown> = Promise.resolve();
  const removeNow = () => {
    pending = pending
      .then(() => removeExpired(deps))
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'expired sessions of masked texts could not be removed'),
      );
  };
  removeNow();
  const timer = setInterval(removeNow, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await pending;
  };
}
