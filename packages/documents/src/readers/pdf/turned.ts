import type { CellEntry, Entry } from './content.ts';
import { type Rect, heightOf } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid, GridCell } from './grid.ts';

/** A quarter of a turn, clockwise, by which letters stand on their side. */
export type Quarter = 1 | 2 | 3;

/** A place as it is seen by who turns the page so that these letters stand upright. */
export function turnRect({ x0, y0, x1, y1 }: Rect, quarter: Quarter): Rect {
  if (quarter === 1) return { x0: y0, y0: -x1, x1: y1, y1: -x0 };
  if (quarter === 3) return { x0: -y1, y0: x0, x1: -y0, y1: x1 };
  return { x0: -x1, y0: -y1, x1: -x0, y1: -y0 };
}

const backOf = (quarter: Quarter): Quarter => (quarter === 2 ? 2 : quarter === 1 ? 3 : 1);

/** The place on the page again. */
export const turnRectBack = (rect: Rect, quarter: Quarter): Rect => turnRect(rect, backOf(quarter));

/** Letters turned upright. */
export const turnGlyph = (glyph: Glyph, quarter: Quarter): Glyph => {
  const rect = turnRect(glyph, quarter);
  return { ...glyph, ...rect, base: rect.y1 - 0.2 * heightOf(rect), look: { ...glyph.look, quarter: 0 } };
};

/** Most letters in a table on its side stand so. */
const MIN_TURNED_SHARE = 0.8;

/** How far most letters are turned; null where they stand upright, or this way and that. */
export function quarterOf(glyphs: readonly Glyph[]): Quarter | null {
  const counts = [0, 0, 0, 0];
  let letters = 0;
  for (const { text, look } of glyphs) {
    if (text.trim() === '') continue;
    letters++;
    if (look.quarter !== null) counts[look.quarter] = (counts[look.quarter] ?? 0) + 1;
  }
  const found = ([1, 2, 3] as const).find((quarter) => counts[quarter]! >= MIN_TURNED_SHARE * letters);
  return letters === 0 ? null : (found ?? null);
}

/** A grid turned with its letters: its rows become columns, or run the other way. */
export function turnGrid(grid: Grid, quarter: Quarter): Grid {
  const { rows, columns } = grid;
  const mirrored = (values: readonly number[]) => values.map((value) => -value).toReversed();
  const edges = {
    1: { xs: grid.ys, ys: mirrored(grid.xs) },
    2: { xs: mirrored(grid.xs), ys: mirrored(grid.ys) },
    3: { xs: mirrored(grid.ys), ys: grid.xs },
  }[quarter];
  const cells = grid.cells.map((cell): GridCell => {
    const lastRow = rows - cell.row - cell.rowSpan;
    const lastColumn = columns - cell.column - cell.columnSpan;
    const place = {
      1: { row: lastColumn, column: cell.row },
      2: { row: lastRow, column: lastColumn },
      3: { row: cell.column, column: lastRow },
    }[quarter];
    const spans =
      quarter === 2
        ? { rowSpan: cell.rowSpan, columnSpan: cell.columnSpan }
        : { rowSpan: cell.columnSpan, columnSpan: cell.rowSpan };
    return { ...turnRect(cell, quarter), ...place, ...spans };
  });
  return {
    ...turnRect(grid, quarter),
    ...edges,
    rows: quarter === 2 ? rows : columns,
    columns: quarter === 2 ? columns : rows,
    cells: cells.toSorted((a, b) => a.row - b.row || a.column - b.column),
  };
}

/** Entries at their places on the page again. Tables lose the edges of their columns, which nothing on other pages goes on from. */
export function turnBack(entries: readonly Entry[], quarter: Quarter): Entry[] {
  return entries.map((entry): Entry => {
    const rect = turnRectBack(entry, quarter);
    if (entry.kind !== 'table') return { ...entry, ...rect };
    const cells = entry.cells.map((cell): CellEntry => ({
      ...cell,
      ...turnRectBack(cell, quarter),
      entries: turnBack(cell.entries, quarter),
    }));
    return { ...entry, ...rect, xs: [], cells };
  });
}
