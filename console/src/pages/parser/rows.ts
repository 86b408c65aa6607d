import type { ParserTable } from '@ai-studio/contract/console/parser.ts';

export type Cell = ParserTable['cells'][number];
/** A place of a row: a cell, or so many columns that have none. */
export type Place =
  | { readonly column: number; readonly cell: Cell }
  | { readonly column: number; readonly empty: number };

/**
 * Rows of a table as they are shown: where a row has no cell, and none reaches into it from above, an empty place keeps the others
 * in their columns. A cell that lies over another is left out.
 */
export function rowsOf({ cells, columns }: ParserTable, from: number, to: number): readonly (readonly Place[])[] {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  /** For each column the row that is free again. */
  const free = new Int32Array(columns).fill(from);
  const rows: Place[][] = [];
  for (let row = from; row < to; row++) {
    const places: Place[] = [];
    let at = 0;
    const fill = (until: number) => {
      while (at < until) {
        const begin = at;
        while (at < until && (free[at] ?? 0) <= row) at++;
        if (at > begin) places.push({ column: begin, empty: at - begin });
        while (at < until && (free[at] ?? 0) > row) at++;
      }
    };
    for (const cell of byRow.get(row) ?? []) {
      if (cell.column < at || cell.column >= columns || (free[cell.column] ?? 0) > row) continue;
      fill(cell.column);
      places.push({ column: cell.column, cell });
      const end = Math.min(columns, cell.column + cell.column_span);
      free.fill(row + cell.row_span, cell.column, end);
      at = end;
    }
    fill(columns);
    rows.push(places);
  }
  return rows;
}
