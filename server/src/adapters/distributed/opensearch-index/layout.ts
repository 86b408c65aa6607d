import { idOf } from './values.ts';

/** How the rows of a table lie in its index; it stays as it is for the life of the table, wherever the table moves. */
export interface Layout {
  /** Names of the two fields of words. */
  readonly terms: string;
  readonly stems: string;
  /** Its rows carry this name, and their ids begin with it: others lie beside them, or did. Null in an index that was made for it alone. */
  readonly table: string | null;
  /** Number of its place there; null where it never had one. */
  readonly slot: number | null;
  /** The id of a row in the index. */
  id(rowId: string): string;
}

export const plainLayout: Layout = { terms: 'terms', stems: 'stems', table: null, slot: null, id: idOf };

/**
 * A table that lies beside others has fields of words of its own: Lucene counts rows, lengths and rarity by field, so its ranking
 * is that of a table alone.
 */
export const slotLayout = (table: string, slot: number): Layout => ({
  terms: `terms_${slot}`,
  stems: `stems_${slot}`,
  table,
  slot,
  id: (rowId) => `${table}:${idOf(rowId)}`,
});

/** A row of any layout as one of a table alone, which copies are made of. */
export function plainRow(
  { terms, stems, table }: Layout,
  id: string,
  source: Readonly<Record<string, unknown>>,
): { readonly id: string; readonly source: object } {
  if (table === null) return { id, source };
  const { [terms]: words, [stems]: whole, table: _, ...rest } = source;
  return { id: id.slice(table.length + 1), source: { ...rest, terms: words ?? [], stems: whole ?? [] } };
}
