import { sql } from 'kysely';
import type { RetrievalDeps } from '../deps.ts';
import { removeDocuments } from '../documents/rows.ts';
import { processRemovals } from '../writing/removals.ts';

/** Documents that are removed in one transaction. */
const BATCH = 100;
/** An upload that is not complete after so long never will be. */
const ARRIVAL_HOURS = 1;

/** Removes what deleted collections held, then themselves. Several processes may do so at once. */
export async function purgeCollections(deps: RetrievalDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const deleted = await db.query
    .selectFrom('collections')
    .select(['id', 'index_table', 'build'])
    .where('deleted_at', 'is not', null)
    .execute();
  for (const { id, index_table: table, build } of deleted) {
    for (;;) {
      signal.throwIfAborted();
      const count = await db.transaction(async (tx) => {
        const mine = await tx
          .selectFrom('collections')
          .select('id')
          .where('id', '=', id)
          .forNoKeyUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (mine === undefined) return 0;
        const rows = await tx
          .selectFrom('documents')
          .select(['id', 'tenant_id'])
          .where('collection_id', '=', id)
          .limit(BATCH)
          .execute();
        // The table goes as a whole.
        await removeDocuments(tx, rows, []);
        return rows.length;
      });
      if (count === 0) break;
    }
    await db.transaction(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('collections')
        .where('id', '=', id)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('documents').select('id').where('collection_id', '=', id))),
        )
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return;
      const tables = build === null ? [table] : [table, build.table];
      const late = sql<Date>`clock_timestamp() + interval '120 seconds'`;
      await tx
        .insertInto('retrieval_removals')
        .values(
          tables.flatMap((index_table) => [
            { kind: 'table' as const, index_table },
            // Whoever was at work on it may have made it again.
            { kind: 'table' as const, index_table, not_before: late },
          ]),
        )
        .execute();
    });
  }
  if (deleted.length > 0) await processRemovals(deps);
}

/** Removes abandoned uploads: first what the database knows of them, so that one that is taken in at this moment keeps its file. */
export async function removeAbandonedUploads(deps: RetrievalDeps): Promise<void> {
  const removed = await deps.db.transaction(async (tx) => {
    const rows = await tx
      .selectFrom('documents')
      .select(['id', 'tenant_id'])
      .where('state', '=', 'arriving')
      .where(sql<boolean>`created_at < clock_timestamp() - ${ARRIVAL_HOURS} * interval '1 hour'`)
      .orderBy('id')
      .forUpdate()
      .skipLocked()
      .execute();
    await removeDocuments(tx, rows, []);
    return rows.length;
  });
  if (removed > 0) await processRemovals(deps);
}
