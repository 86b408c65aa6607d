import type { Transaction } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import { type DerivedRow, IndexError, type IndexRow } from '../../ports/search-index.ts';
import { type CollectionRow, embeddingOf, collectionNotFound } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { processRemovals } from './removals.ts';
import {
  afterSeconds,
  lockForVisibleChange,
  asStudioError,
  ensureTable,
  markTableLost,
  findActiveCollection,
  TableMoved,
} from './table.ts';

/** Another writer changed the data meanwhile. */
export class WriteConflict extends Error {}

/** Rows to add: made anew, or like others but for their fields. */
export type RowBatch =
  | readonly IndexRow[]
  | {
      readonly derived: readonly DerivedRow[];
      /** Rebuilds the rows whose originals are missing from the index, by the ids of the originals. */
      readonly rebuild: (missing: readonly string[]) => Promise<readonly IndexRow[]>;
    };

const isDerived = (batch: RowBatch): batch is Exclude<RowBatch, readonly IndexRow[]> => 'derived' in batch;

interface Write {
  readonly collectionId: string;
  /**
   * Rows to add, for the collection as it is, in pieces, with the length of their vectors; called again where another table or
   * somebody else's change makes it needful.
   */
  readonly rows: (collection: CollectionRow) => AsyncIterable<RowBatch>;
  /** Makes them visible, and returns the ids of rows whose place they take. Throws WriteConflict to begin anew. */
  readonly commit: (tx: Transaction<Tables>) => Promise<readonly string[]>;
}

const ATTEMPTS = 8;
/** When rows that never became visible are removed. */
const ORPHAN_SECONDS = 600;

/** A removal that was noted for rows that may never become visible, and when it falls due. */
interface NotedRemoval {
  readonly id: number;
  readonly notBefore: number;
}

async function addRows(deps: RetrievalDeps, collection: CollectionRow, write: Write): Promise<NotedRemoval[]> {
  const { db, index } = deps;
  const noted: NotedRemoval[] = [];
  let made = false;
  const { index_table: table } = collection;
  for await (const batch of write.rows(collection)) {
    const rows = isDerived(batch) ? batch.derived : batch;
    if (rows.length === 0) continue;
    if (!made && !isDerived(batch)) {
      await ensureTable(deps, collection, embeddingOf(collection).dimension ?? batch[0]?.vector.length ?? 0);
      made = true;
    }
    // Written down before: rows that never become visible are removed, also after a crash.
    const { id, not_before: notBefore } = await db.query
      .insertInto('retrieval_removals')
      .values({
        kind: 'rows',
        index_table: table,
        row_ids: rows.map(({ rowId }) => rowId),
        not_before: afterSeconds(ORPHAN_SECONDS),
      })
      .returning(['id', 'not_before'])
      .executeTakeFirstOrThrow();
    noted.push({ id, notBefore: notBefore.getTime() });
    if (!isDerived(batch)) await index.add(table, batch);
    else {
      const missing = await index.derive(table, batch.derived);
      if (missing.length > 0) await index.add(table, await batch.rebuild(missing));
    }
  }
  return noted;
}

/**
 * The rows are there to stay. A write that took longer than its rows were spared finds its removals at work or done: whoever took one has put off
 * its time. Throws WriteConflict then.
 */
async function keepRows(tx: Transaction<Tables>, noted: readonly NotedRemoval[]): Promise<void> {
  if (noted.length === 0) return;
  const found = await tx
    .deleteFrom('retrieval_removals')
    .where(
      'id',
      'in',
      noted.map(({ id }) => id),
    )
    .returning(['id', 'not_before'])
    .execute();
  const times = new Map(found.map(({ id, not_before: time }) => [id, time.getTime()]));
  if (noted.some(({ id, notBefore }) => times.get(id) !== notBefore))
    throw new WriteConflict('rows were removed before they became visible');
}

async function writeOnce(deps: RetrievalDeps, write: Write): Promise<void> {
  const { db } = deps;
  const collection = await findActiveCollection(db.query, write.collectionId);
  if (collection === null) throw collectionNotFound(write.collectionId);
  const noted = await addRows(deps, collection, write);
  await db.transaction(async (tx) => {
    await lockForVisibleChange(tx, write.collectionId, collection.index_table);
    const replacedIds = await write.commit(tx);
    await keepRows(tx, noted);
    if (replacedIds.length > 0)
      await tx
        .insertInto('retrieval_removals')
        .values({ kind: 'rows', index_table: collection.index_table, row_ids: [...replacedIds] })
        .execute();
  });
}

/**
 * Changes chunks that searches find: the index first, then the database, which decides what is visible, then what is needless is
 * removed. Throws StudioError `not_found`, `unavailable`, `conflict`, and what `rows` and `commit` throw.
 */
export async function writeThrough(deps: RetrievalDeps, write: Write): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await writeOnce(deps, write);
      await processRemovals(deps);
      return;
    } catch (error) {
      const lost = error instanceof IndexError && error.kind === 'lost';
      if (lost) await markTableLost(deps, write.collectionId, error.table);
      const again = lost || error instanceof TableMoved || error instanceof WriteConflict;
      if (!again) throw asStudioError(error);
      if (attempt >= ATTEMPTS)
        throw lost
          ? asStudioError(error)
          : new StudioError('conflict', 'The collection is being changed by others; try again', { cause: error });
    }
  }
}
