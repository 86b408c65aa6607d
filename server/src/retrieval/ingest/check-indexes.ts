import { newTableName } from '../collections/index-table-name.ts';
import type { CollectionRow } from '../collections/rows.ts';
import type { IndexingDeps } from '../deps.ts';
import { markTableLost } from '../writing/table.ts';
import { restartBuild } from './builds.ts';
import { moveOne } from './move-indexes.ts';

// An index that lies where it lay while the database was taken back to another moment: nobody works with either yet. Rows never change under
// their ids, so the two are compared by ids, as when an index moves.

/** The tables that are there; null where that can't be known. */
async function tablesOf({ index, log }: IndexingDeps): Promise<ReadonlySet<string> | null> {
  try {
    return new Set(await index.tables());
  } catch (error) {
    log.warn({ err: error }, 'search index could not be looked at: it is made anew');
    return null;
  }
}

/** A collection gets a table that nobody has written to; the one that it had is removed. */
async function giveAnother(deps: IndexingDeps, { id, index_table: table, index_state: state }: CollectionRow) {
  if (state !== 'none') return markTableLost(deps, id, table);
  await deps.db.transaction(async (tx) => {
    await tx
      .updateTable('collections')
      .set({ index_table: newTableName(id) })
      .where('id', '=', id)
      .execute();
    await tx.insertInto('retrieval_removals').values({ kind: 'table', index_table: table }).execute();
  });
}

/**
 * Compares the tables that are there with the database: what they lack is added, what they have too much removed. One that can't be read, or
 * does not hold what it should, is made anew when the service starts, as those are that are not there. Resolves with how many are right now.
 */
export async function checkIndexes(deps: IndexingDeps, onProgress: (message: string) => void): Promise<number> {
  const collections = await deps.db.query
    .selectFrom('collections')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
  if (collections.length === 0) return 0;
  const there = await tablesOf(deps);
  let right = 0;
  for (const collection of collections) {
    const { id, name, index_table: table, index_state: state, build } = collection;
    // What a change of the collection had come to is of another moment, too.
    if (build !== null) await restartBuild(deps, id, build.table);
    if (there?.has(table) === false) continue;
    if (there === null || state !== 'ready') {
      await giveAnother(deps, collection);
      continue;
    }
    try {
      const { rows, added, removed } = await moveOne(deps, deps.index, collection);
      onProgress(`${name}: ${rows} rows, ${added} written, ${removed} removed`);
      right++;
    } catch (error) {
      deps.log.warn({ err: error, table }, 'table of the search index does not fit the database');
      await giveAnother(deps, collection);
      onProgress(`${name}: made anew when the service starts`);
    }
  }
  return right;
}
