import { sql } from 'kysely';
import type { Logger } from '../../kernel/log.ts';
import type { Database } from '../../ports/database.ts';

const EVERY_MS = 600_000;

/** Removes the sessions whose time is over, with their values. Returns how many. */
export async function removeEnded({ db }: { readonly db: Database }): Promise<number> {
  const { numDeletedRows } = await db.query
    .deleteFrom('privacy_sessions')
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Does it now and every ten minutes. Returns what ends that; safe to repeat. */
export function keepRemovingEnded(deps: { readonly db: Database; readonly log: Logger }): () => Promise<void> {
  let working: Promise<unknown> = Promise.resolve();
  const work = () => {
    working = working
      .then(() => removeEnded(deps))
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'Sessions of masked texts that ended could not be removed'),
      );
  };
  work();
  const timer = setInterval(work, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}
