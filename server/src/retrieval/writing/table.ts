import { sql, type Transaction } from 'kysely';
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database, Tables } from '../../ports/database.ts';
import { IndexError } from '../../ports/search-index.ts';
import { collectionNotFound, type CollectionRow } from '../collections/rows.ts';
import { newTableName, tableShape } from '../collections/index-table-name.ts';
import type { IndexingDeps } from '../deps.ts';
import { wakeIngest } from '../ingest/wake.ts';

/** The collection has another table than the one that was written to; what was done must be done again. */
export class TableMoved extends Error {
  constructor() {
    super('the collection has another table now');
    this.name = 'TableMoved';
  }
}

/**
 * Locks the collection for a change that searches must see, and says so to all processes. Throws TableMoved, and StudioError
 * `not_found` where it is gone.
 */
export async function lockForVisibleChange(
  tx: Transaction<Tables>,
  collectionId: string,
  table: string,
): Promise<void> {
  const row = await tx
    .selectFrom('collections')
    .select(['index_table', 'index_state', 'deleted_at'])
    .where('id', '=', collectionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined || row.deleted_at !== null) throw collectionNotFound(collectionId);
  if (row.index_table !== table) throw new TableMoved();
  await tx
    .updateTable('collections')
    .set((eb) => ({
      index_version: eb('index_version', '+', 1),
      ...(row.index_state === 'none' ? { index_state: 'ready' as const } : {}),
    }))
    .where('id', '=', collectionId)
    .execute();
}

/**
 * Makes the table of a collection where there should be none yet. One that should be there and is not is lost: nobody makes it
 * anew by the way.
 */
export async function ensureTable(
  { index }: IndexingDeps,
  {
    tenant_id: tenant,
    index_table: table,
    index_state: state,
  }: Pick<CollectionRow, 'tenant_id' | 'index_table' | 'index_state'>,
  dimension: number,
): Promise<void> {
  if (state !== 'ready') await index.createTable(table, tableShape(tenant, dimension));
}

/** The table of a collection is gone or cannot be read: it is given another, which is filled from the database. */
export async function markTableLost(deps: IndexingDeps, collectionId: string, table: string): Promise<void> {
  const lost = await deps.db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('collections')
      .select(['index_table', 'index_state'])
      .where('id', '=', collectionId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row === undefined || row.index_table !== table || row.index_state === 'none') return false;
    await tx
      .updateTable('collections')
      .set({ index_table: newTableName(collectionId), index_state: 'rebuilding', claim: null, seen_at: null })
      .where('id', '=', collectionId)
      .execute();
    await tx.insertInto('retrieval_removals').values({ kind: 'table', index_table: table }).execute();
    return true;
  });
  if (!lost) return;
  deps.log.warn({ collectionId, table }, 'index of a collection was lost; it is rebuilt from the database');
  await wakeIngest(deps);
}

/** Maps a failure of the index to the StudioError for callers. */
export function asStudioError(error: unknown): unknown {
  if (!(error instanceof IndexError)) return error;
  if (isDiskFull(error)) return diskFull(error);
  return new StudioError('unavailable', 'The search index is not available at the moment; try again later', {
    retryAfterSeconds: 5,
    cause: error,
  });
}

/** Now, by the database, so that all processes agree. */
export const databaseNow = sql<Date>`clock_timestamp()`;
export const afterSeconds = (seconds: number) => sql<Date>`clock_timestamp() + ${seconds} * interval '1 second'`;

/** A collection by id, whoever asks; null where it is gone. */
export const findActiveCollection = async (query: Database['query'] | Transaction<Tables>, id: string) =>
  (await query
    .selectFrom('collections')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) ?? null;
