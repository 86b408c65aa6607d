import { sql } from 'kysely';
import type { Logger } from '../kernel/log.ts';
import { HOUR_MS, repeat } from '../kernel/repeat.ts';
import type { DatabaseDeps } from '../ports/database.ts';

export interface BatchRetentionDeps extends DatabaseDeps {
  /** How long batches are listed after their end. */
  readonly keepDays: number;
}

/** Removes batches that ended long ago. Returns how many. */
export async function removeOldBatches({ db, keepDays }: BatchRetentionDeps): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM batches WHERE ended_at < clock_timestamp() - ${keepDays} * interval '1 day'`.execute(db.query);
  return Number(numAffectedRows);
}

/** Does it now and once an hour. Returns what ends that; safe to repeat. */
export const startBatchRetention = (deps: BatchRetentionDeps & { readonly log: Logger }): (() => Promise<void>) =>
  repeat(HOUR_MS, async () => {
    const { log } = deps;
    try {
      const count = await removeOldBatches(deps);
      if (count > 0) log.info({ count }, 'old batches removed');
    } catch (error) {
      log.warn({ err: error }, 'old batches could not be removed');
    }
  });
