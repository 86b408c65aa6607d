import { sql } from 'kysely';
import type { Logger } from '../../kernel/log.ts';
import { repeat } from '../../kernel/repeat.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Database } from '../../ports/database.ts';
import { blobKey } from './record.ts';

export interface RetentionDeps {
  readonly db: Database;
  readonly blobs: BlobStore;
}

/** Rows that are removed in one transaction. */
const BATCH = 50;
const EVERY_MS = 600_000;

/** Removes the documents whose time is over, with their files. Several processes may do so at once. Returns how many. */
export async function removeExpired({ db, blobs }: RetentionDeps): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const rows = await tx
        .selectFrom('document_parses')
        .select(['id', 'tenant_id'])
        .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      if (rows.length === 0) return 0;
      // The file goes first: a row without one is removed the next time, a file without a row never.
      for (const { id, tenant_id: tenantId } of rows) await blobs.delete(blobKey({ id, tenantId }));
      const ids = rows.map(({ id }) => id);
      await tx.deleteFrom('document_parses').where('id', 'in', ids).execute();
      return rows.length;
    });
    removed += count;
    if (count < BATCH) return removed;
  }
}

/** Does it now and every ten minutes. Returns what ends that; safe to repeat. */
export function keepRemovingExpired(deps: RetentionDeps & { readonly log: Logger }): () => Promise<void> {
  const { log } = deps;
  return repeat(EVERY_MS, async () => {
    try {
      const count = await removeExpired(deps);
      if (count > 0) log.info({ count }, 'expired documents removed');
    } catch (error) {
      log.warn({ err: error }, 'expired documents could not be removed');
    }
  });
}
