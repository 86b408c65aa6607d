import type { Transaction } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import { type DerivedRow, IndexError, type IndexRow } from '../../ports/search-index.ts';
import { type CollectionRow, embeddingOf, noCollection } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { workOffRemovals } from './removals.ts';
import {
  afterSeconds,
  beginVisibleChange,
  fromIndex,
  makeTable,
  noteLost,
  presentCollection,
  TableMoved,
} from './table.ts';

/** Somebody else changed it meanwhile. */
export class Overtaken extends Error {}

/** Rows to add: made anew, or like others but for their fields. */
export type Piece =
  | readonly IndexRow[]
  | {
      readonly derived: readonly DerivedRow[];
      /** Makes those anew that are not there to be copied, by the ids of the others. */
      readonly anew: (missing: readonly string[]) => Promise<readonly IndexRow[]>;
    };

const isDerived = (piece: Piece): piece is Exclude<Piece, readonly IndexRow[]> => 'derived' in piece;

interface Write {
  readonly collectionId: string;
  /**
   * Rows to add, for the collection as it is, in pieces, with the length of their vectors; called again where another table or
   * somebody else's change makes it needful.
   */
  readonly rows: (collection: CollectionRow) => AsyncIterable<Piece>;
  /** Makes them visible, and returns the ids of rows whose place they take. Throws Overtaken to begin anew. */
  readonly commit: (tx: Transaction<Tables>) => Promise<readonly string[]>;
}

const ATTEMPTS = 8;
/** When rows that never became visible are removed. */
const ORPHAN_SECONDS = 600;

async function addRows(deps: RetrievalDeps, collection: CollectionRow, write: Write): Promise<number[]> {
  const { db, index } = deps;
  const noted: number[] = [];
  let made = false;
  const { index_table: table } = collection;
  for await (const piece of write.rows(collection)) {
    const rows = isDerived(piece) ? piece.derived : piece;
    if (rows.length === 0) continue;
    if (!made && !isDerived(piece)) {
      await makeTable(deps, collection, embeddingOf(collection).dimension ?? piece[0]?.vector.length ?? 0);
      made = true;
    }
    // Written down before: rows that never become visible are removed, also after a crash.
    const { id } = await db.query
      .insertInto('retrieval_removals')
      .values({
        kind: 'rows',
        index_table: table,
        row_ids: rows.map(({ rowId }) => rowId),
        not_before: afterSeconds(ORPHAN_SECONDS),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    noted.push(id);
    if (!isDerived(piece)) await index.add(table, piece);
    else {
      const missing = await index.derive(table, piece.derived);
      if (missing.length > 0) await index.add(table, await piece.anew(missing));
    }
  }
  return noted;
}

async function once(deps: RetrievalDeps, write: Write): Promise<void> {
  const { db } = deps;
  const collection = await presentCollection(db.query, write.collectionId);
  if (collection === null) throw noCollection(write.collectionId);
  const noted = await addRows(deps, collection, write);
  await db.transaction(async (tx) => {
    await beginVisibleChange(tx, write.collectionId, collection.index_table);
    const gone = await write.commit(tx);
    if (noted.length > 0) await tx.deleteFrom('retrieval_removals').where('id', 'in', noted).execute();
    if (gone.length > 0)
      await tx
        .insertInto('retrieval_removals')
        .values({ kind: 'rows', index_table: collection.index_table, row_ids: [...gone] })
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
      await once(deps, write);
      await workOffRemovals(deps);
      return;
    } catch (error) {
      const lost = error instanceof IndexError && error.kind === 'lost';
      if (lost) await noteLost(deps, write.collectionId, error.table);
      const again = lost || error instanceof TableMoved || error instanceof Overtaken;
      if (!again) throw fromIndex(error);
      if (attempt >= ATTEMPTS)
        throw lost
          ? fromIndex(error)
          : new StudioError('conflict', 'The collection is being changed by others; try again', { cause: error });
    }
  }
}
