import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { IndexError, type SearchIndex } from '../../ports/search-index.ts';
import { tableShape } from '../collections/index-table-name.ts';
import { type CollectionRow, embeddingOf } from '../collections/rows.ts';
import type { IndexingDeps } from '../deps.ts';
import { canIndex } from '../writing/rows.ts';
import { batchOf, rowsOf } from './rebuild.ts';

// Another search index is filled from the database, while the service searches the one that it has. Rows never change under their ids, so
// what is there and what should be there are compared by ids: a second run brings what came meanwhile.

/** Rows of a collection that are looked for in the other index, each by its own vector. */
const SAMPLES = 20;
/** A vector and itself, as far as the index is exact. */
const SAME = 0.99;
const REMOVED_AT_ONCE = 1_000;
/** Hits among which a row must be: others may have the same vector. */
const HITS = 100;

/** What was done for one collection. */
interface Moved {
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
}

async function idsIn(target: SearchIndex, table: string): Promise<Set<string>> {
  const ids = new Set<string>();
  try {
    for await (const piece of target.rows(table)) for (const { rowId } of piece) ids.add(rowId);
  } catch (error) {
    if (!(error instanceof IndexError) || error.kind !== 'lost') throw error;
    // Not there yet, or broken: made from the beginning.
    await target.dropTable(table);
  }
  return ids;
}

/**
 * Which of the rows in an index nobody is about to show: a service that writes to this very index puts rows there before the database
 * shows them, and notes their removal for later, until they are shown.
 */
async function strays({ db }: IndexingDeps, table: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ row_id: string }>`
    SELECT row_id FROM chunks WHERE row_id = ANY(${ids})
    UNION
    SELECT unnest(row_ids) FROM retrieval_removals
      WHERE kind = 'rows' AND index_table = ${table} AND not_before > clock_timestamp()`.execute(db.query);
  const known = new Set(rows.map(({ row_id: id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Fills and compares the table of one collection. Throws StudioError where it does not hold what it should, and IndexError. */
export async function moveOne(deps: IndexingDeps, target: SearchIndex, collection: CollectionRow): Promise<Moved> {
  const { index_table: table, ingest_config: config } = collection;
  const embedding = embeddingOf(collection);
  const never = new AbortController().signal;
  const surplus = await idsIn(target, table);
  const samples: { readonly rowId: string; readonly vector: Float32Array }[] = [];
  let [rows, added] = [0, 0];
  let after: readonly [string, string] = ['', ''];
  let made = false;
  for (;;) {
    const batch = await batchOf(deps, collection, after);
    const last = batch.at(-1);
    if (last === undefined) break;
    after = [last.document_id, last.row_id];
    const wanted = batch.filter(canIndex(embedding));
    rows += wanted.length;
    // What is there already is left as it is, but for one row of each piece, by which the two are compared.
    const missing = wanted.filter(
      ({ row_id: id }, at) => !surplus.delete(id) || (at === 0 && samples.length < SAMPLES),
    );
    const full = await rowsOf(deps, missing, config.indexed_fields, never);
    const [first] = full;
    if (first === undefined) continue;
    if (!made) await target.createTable(table, tableShape(collection.tenant_id, first.vector.length));
    made = true;
    await target.add(table, full, { upsert: true });
    added += full.length;
    if (samples.length < SAMPLES && first.vector.some((value) => value !== 0)) samples.push(first);
  }
  if (rows === 0 && embedding.dimension !== null)
    await target.createTable(table, tableShape(collection.tenant_id, embedding.dimension));
  const extra = [...surplus];
  let removed = 0;
  for (let at = 0; at < extra.length; at += REMOVED_AT_ONCE) {
    const rowIds = await strays(deps, table, extra.slice(at, at + REMOVED_AT_ONCE));
    if (rowIds.length > 0) await target.remove(table, { rowIds });
    removed += rowIds.length;
  }
  if (rows > 0) await target.maintain(table);
  await compare(target, collection, { rows, spared: extra.length - removed }, samples);
  return { rows, added, removed };
}

/** Throws StudioError `unavailable` where the other index does not hold what it should. */
async function compare(
  target: SearchIndex,
  { index_table: table, name, embedding_dimension: dimension }: CollectionRow,
  { rows, spared }: { readonly rows: number; readonly spared: number },
  samples: readonly { readonly rowId: string; readonly vector: Float32Array }[],
): Promise<void> {
  if (rows === 0 && dimension === null) return;
  const { rows: there } = await target.stats(table);
  if (there < rows || there > rows + spared)
    throw new StudioError('unavailable', `${name}: ${there} rows are there instead of ${rows}`);
  for (const { rowId, vector } of samples) {
    const hits = await target.nearest(table, { vector, limit: HITS });
    const [best] = hits;
    const full = hits.length === HITS && (hits.at(-1)?.score ?? 0) >= SAME;
    if ((best?.score ?? 0) < SAME || !(full || hits.some((hit) => hit.rowId === rowId)))
      throw new StudioError('unavailable', `${name}: the row ${rowId} is not found by its own vector`);
  }
}

/**
 * Fills another search index from the database: of all collections that can be searched. Resolves with how many they are. Throws
 * StudioError where one does not hold what it should, and IndexError.
 */
export async function moveIndexes(
  deps: IndexingDeps,
  target: SearchIndex,
  onProgress: (message: string) => void,
): Promise<number> {
  const collections = await deps.db.query
    .selectFrom('collections')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('index_state', '<>', 'none')
    .orderBy('created_at')
    .execute();
  for (const [at, collection] of collections.entries()) {
    const { rows, added, removed } = await moveOne(deps, target, collection);
    onProgress(
      `${collection.name} (${at + 1} of ${collections.length}): ${rows} rows, ${added} written, ${removed} removed`,
    );
  }
  return collections.length;
}
