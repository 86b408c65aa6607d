import { sql } from 'kysely';
import type { Logger } from '../kernel/log.ts';
import { repeat } from '../kernel/repeat.ts';
import { blobKey, type FilesDeps } from './store.ts';

/** Rows that are removed in one transaction. */
const BATCH = 50;
const EVERY_MS = 600_000;

/** Removes the files whose time is over, with their bytes. Several processes may do so at once. Returns how many. */
export async function removeExpiredFiles({ db, blobs }: FilesDeps): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const rows = await tx
        .selectFrom('files')
        .select(['id', 'tenant_id'])
        .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      if (rows.length === 0) return 0;
      // The bytes go first: a row without them is removed the next time, bytes without a row never.
      for (const { id, tenant_id: tenantId } of rows) await blobs.delete(blobKey(tenantId, id));
      const ids = rows.map(({ id }) => id);
      await tx.deleteFrom('files').where('id', 'in', ids).execute();
      return rows.length;
    });
    removed += count;
    if (count < BATCH) return removed;
  }
}

/** Does it now and every ten minutes. Returns what ends that; safe to repeat. */
export function startFileRetention(deps: FilesDeps & { readonly log: Logger }): () => Promise<void> {
  const { log } = deps;
  return repeat(EVERY_MS, async () => {
    try {
      const count = await removeExpiredFiles(deps);
      if (count > 0) log.info({ count }, 'expired files removed');
    } catch (error) {
      log.warn({ err: error }, 'expired files could not be removed');
    }
  });
}
