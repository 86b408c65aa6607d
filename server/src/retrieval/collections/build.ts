import type { Transaction } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import type { CollectionBuild } from '../tables.ts';
import { ANALYZER_VERSION } from '../analyzer/index.ts';
import type { CollectionRow } from './rows.ts';
import { newTableName } from './index-table-name.ts';

/**
 * Starts to rebuild a collection in another table, and replaces any earlier rebuild that is unfinished; the documents follow one by
 * one. A collection without documents changes its settings at once. The row must be locked. Resolves with whether there is work.
 */
export async function startBuild(
  tx: Transaction<Tables>,
  row: CollectionRow,
  { config, dimension, from, searchFollows }: Pick<CollectionBuild, 'config' | 'dimension' | 'from' | 'searchFollows'>,
): Promise<boolean> {
  if (row.build !== null) await cancelBuild(tx, row);
  const some = await tx.selectFrom('documents').select('id').where('collection_id', '=', row.id).limit(1).execute();
  if (some.length === 0) {
    const gone = row.index_state === 'none' ? null : row.index_table;
    await tx
      .updateTable('collections')
      .set({
        ingest_config: JSON.stringify(config),
        embedding_dimension: dimension,
        index_table: newTableName(row.id),
        index_state: 'none',
        analyzer_version: ANALYZER_VERSION,
        build: null,
      })
      .where('id', '=', row.id)
      .execute();
    if (gone !== null) await tx.insertInto('retrieval_removals').values({ kind: 'table', index_table: gone }).execute();
    return false;
  }
  const build: CollectionBuild = {
    table: newTableName(row.id),
    dimension,
    config,
    analyzerVersion: ANALYZER_VERSION,
    from,
    failed: null,
    ...(searchFollows === true ? { searchFollows } : {}),
  };
  await tx
    .updateTable('collections')
    .set({ build: JSON.stringify(build) })
    .where('id', '=', row.id)
    .execute();
  return true;
}

/** Cancels a rebuild and removes what it wrote. */
export async function cancelBuild(tx: Transaction<Tables>, { id, build }: CollectionRow): Promise<void> {
  await tx.deleteFrom('ingest_jobs').where('collection_id', '=', id).where('kind', '=', 'build').execute();
  await tx.updateTable('documents').set({ built: null }).where('collection_id', '=', id).execute();
  await tx
    .insertInto('retrieval_removals')
    .values([
      { kind: 'table', index_table: build?.table ?? null },
      { kind: 'stale', collection_id: id },
    ])
    .execute();
}

/**
 * Takes up a rebuild that failed where it stands. What is still under way was begun before: it begins anew, so that its failure does
 * not count as one of the second try.
 */
export async function resumeBuild(tx: Transaction<Tables>, id: string, build: CollectionBuild): Promise<void> {
  await tx
    .updateTable('ingest_jobs')
    .set({ state: 'queued', claim: null })
    .where('collection_id', '=', id)
    .where('build_table', '=', build.table)
    .where('state', '=', 'running')
    .execute();
  await tx
    .updateTable('collections')
    .set({ build: JSON.stringify({ ...build, failed: null }) })
    .where('id', '=', id)
    .execute();
}
