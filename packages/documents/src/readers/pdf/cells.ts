import type { CellEntry } from './content.ts';
import { boundingRect, isCentredIn, widthOf } from './geometry.ts';
import type { Fill } from './graphics.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid, GridCell } from './grid.ts';

/** Letters by the cell that they stand in. */
export function byCell(grid: Grid, glyphs: readonly Glyph[]): Map<GridCell, Glyph[]> {
  const owner: GridCell[] = [];
  for (const cell of grid.cells)
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++)
      for (let column = cell.column; column < cell.column + cell.columnSpan; column++)
        owner[row * grid.columns + column] = cell;
  const last = (edges: readonly number[], value: number) => {
    let [low, high] = [0, edges.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edges[middle]! <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const cells = new Map<GridCell, Glyph[]>();
  for (const glyph of glyphs) {
    const row = last(grid.ys, (glyph.y0 + glyph.y1) / 2);
    const column = last(grid.xs, (glyph.x0 + glyph.x1) / 2);
    const cell = owner[row * grid.columns + column];
    if (cell === undefined) continue;
    const list = cells.get(cell);
    if (list === undefined) cells.set(cell, [glyph]);
    else list.push(glyph);
  }
  return cells;
}

/** True when cells of a row are painted otherwise than those of the last row. */
export function paintedRows(grid: Grid, fills: readonly Fill[]): (row: number) => boolean {
  const colourOf = (row: number) => {
    const cells = grid.cells.filter((cell) => cell.row === row);
    const colours = cells.map((cell) => {
      const middle = { x0: cell.x0, x1: cell.x1, y0: cell.y0, y1: cell.y1 };
      return (
        fills.findLast((fill) => isCentredIn(middle, fill) && widthOf(fill) < 1.5 * widthOf(grid))?.colour ?? 0xff_ff_ff
      );
    });
    return colours.every((colour) => colour === colours[0]) ? colours[0] : undefined;
  };
  const last = colourOf(grid.rows - 1);
  return (row) => {
    const colour = colourOf(row);
    return colour !== undefined && colour !== 0xff_ff_ff && colour !== last && (row === 0 || colour === colourOf(0));
  };
}

const isFigures = (text: string) => /\d/.test(text) && text.replaceAll(/[\d\s.,%:()/+△▲₩$~-]/g, '').length <= 2;

/** How many rows at the top are headings: painted, bold, or words above figures. */
export function headerRowsOf(
  cells: readonly Omit<CellEntry, 'header'>[],
  rows: number,
  painted: (row: number) => boolean,
): number {
  if (rows < 2) return 0;
  const texts = (row: number) =>
    cells.filter((cell) => cell.row === row).flatMap(({ entries }) => entries.filter((entry) => entry.kind === 'text'));
  const bold = (row: number) => texts(row).length > 0 && texts(row).every((entry) => entry.bold);
  const spans = Math.max(1, ...cells.filter(({ row }) => row === 0).map(({ rowSpan }) => rowSpan));
  const first = cells.filter(({ row }) => row === 0);
  if (first.length < 2) return 0;
  const above = painted(0) || (bold(0) && !bold(rows - 1));
  const words = texts(0).length >= 2 && texts(0).every(({ text }) => !isFigures(text) && text.length <= 40);
  const below = texts(rows - 1).some(({ text }) => isFigures(text));
  const full = first.every(({ entries }) => entries.some((entry) => entry.kind === 'text' && entry.text !== ''));
  if (!above && !(words && full && (below || rows >= 3))) return 0;
  let count = spans;
  while (above && count < rows - 1 && count < 4 && (painted(0) ? painted(count) : bold(count))) count++;
  return Math.min(count, rows - 1);
}

/** Rows and columns that no cell begins with go. */
export function withoutEmptyRows<Cell extends { row: number; column: number; rowSpan: number; columnSpan: number }>(
  cells: readonly Cell[],
): { cells: Cell[]; rows: number; columns: number; columnAt: number[] } {
  const starts = (of: (cell: Cell) => number) => [...new Set(cells.map(of))].toSorted((a, b) => a - b);
  const rowStarts = starts(({ row }) => row);
  const columnStarts = starts(({ column }) => column);
  const rowAt = new Map(rowStarts.map((value, at) => [value, at]));
  const columnAt = new Map(columnStarts.map((value, at) => [value, at]));
  const within = (list: readonly number[], from: number, span: number) =>
    list.filter((value) => value >= from && value < from + span).length;
  return {
    rows: rowStarts.length,
    columns: columnStarts.length,
    columnAt: columnStarts,
    cells: cells.map((cell) => ({
      ...cell,
      row: rowAt.get(cell.row)!,
      column: columnAt.get(cell.column)!,
      rowSpan: within(rowStarts, cell.row, cell.rowSpan),
      columnSpan: within(columnStarts, cell.column, cell.columnSpan),
    })),
  };
}

/** Pieces that fell into one cell are its paragraphs; what reaches over a place that is taken goes there. */
export function mergeOverlappingCells(cells: readonly Omit<CellEntry, 'header'>[]): Omit<CellEntry, 'header'>[] {
  const result: Omit<CellEntry, 'header'>[] = [];
  for (const cell of cells) {
    const at = result.findLastIndex((other) => other.row === cell.row);
    const last = at === -1 ? undefined : result[at];
    if (last !== undefined && last.column + last.columnSpan > cell.column)
      result[at] = { ...last, ...boundingRect([last, cell]), entries: [...last.entries, ...cell.entries] };
    else result.push(cell);
  }
  return result;
}
