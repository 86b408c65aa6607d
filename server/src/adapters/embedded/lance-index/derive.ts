import type { DerivedRow, IndexRow } from '../../../ports/search-index.ts';
import { oneOf } from './filter-sql.ts';
import type { OpenTable } from './table.ts';

/** Numbers of vectors that are read at a time: more would hold the event loop up. */
const MAX_VALUES = 512 * 1024;
const columns = ['row_id', 'chunk_id', 'document_id', 'vector', 'terms', 'stems'];

interface Columns {
  readonly numRows: number;
  getChild(name: string): { get(at: number): unknown } | null;
}

const wordsOf = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** Turns each source row, once, into its derived row. */
function* toDerivedRows(
  found: Columns,
  wanted: ReadonlyMap<string, DerivedRow>,
): Generator<IndexRow & { from: string }> {
  const text = (name: string, at: number) => String(found.getChild(name)?.get(at));
  const vectors = found.getChild('vector');
  const seen = new Set<string>();
  for (let at = 0; at < found.numRows; at++) {
    const own = wanted.get(text('row_id', at));
    const vector = vectors?.get(at) as { toArray(): Float32Array } | null | undefined;
    if (own === undefined || vector == null || seen.has(own.from)) continue;
    seen.add(own.from);
    yield {
      ...own,
      chunkId: text('chunk_id', at),
      documentId: text('document_id', at),
      vector: vector.toArray(),
      terms: wordsOf(text('terms', at)),
      stems: wordsOf(text('stems', at)),
    };
  }
}

/** Adds rows copied from others. Resolves with the ids of missing source rows. Throws IndexError. */
export async function deriveRows(table: OpenTable, rows: readonly DerivedRow[]): Promise<readonly string[]> {
  const size = Math.max(1, Math.floor(MAX_VALUES / table.dimension));
  const missing: string[] = [];
  await table.refresh(undefined);
  for (let from = 0; from < rows.length; from += size) {
    const wanted = new Map(rows.slice(from, from + size).map((row) => [row.from, row]));
    const where = oneOf('row_id', [...wanted.keys()]);
    const found = await table.read(() => table.handle.query().where(where).select(columns).toArrow());
    const derived = [...toDerivedRows(found, wanted)];
    for (const { from: id } of derived) wanted.delete(id);
    missing.push(...wanted.keys());
    if (derived.length > 0) await table.write({ kind: 'add', rows: derived });
  }
  return missing;
}
