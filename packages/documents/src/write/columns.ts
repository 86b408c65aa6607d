import { blockText } from '../render/text.ts';
import type { Table, TableCell } from '../document.ts';

const MIN_LETTERS = 4;
const MAX_LETTERS = 40;

/** Widths of columns that add up to `width`, by the longest lines in them. */
export function columnWidths({ columns, cells }: Table, width: number): readonly number[] {
  const letters = Array.from({ length: columns }, () => MIN_LETTERS);
  for (const { column, columnSpan, blocks } of cells) {
    if (columnSpan > 1) continue;
    const lines = blocks.map(blockText).join('\n').split('\n');
    const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    letters[column] = Math.max(letters[column] ?? 0, Math.min(MAX_LETTERS, longest));
  }
  const all = letters.reduce((sum, one) => sum + one, 0);
  return letters.map((one) => Math.floor((one * width) / all));
}

/** What stands at a place of a grid: a cell that begins there, or one that goes on over it. */
export interface GridPlace {
  readonly cell: TableCell;
  readonly begins: boolean;
}

/** Every place of a table; places without a cell have an empty one of their own. */
export function gridOf({ rows, columns, cells }: Table): readonly (readonly GridPlace[])[] {
  const grid: (GridPlace | undefined)[][] = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => undefined),
  );
  for (const cell of cells)
    for (let row = cell.row; row < Math.min(rows, cell.row + cell.rowSpan); row++)
      for (let column = cell.column; column < Math.min(columns, cell.column + cell.columnSpan); column++)
        (grid[row] ??= [])[column] ??= { cell, begins: row === cell.row && column === cell.column };
  return grid.map((line, row) =>
    line.map(
      (place, column) => place ?? { cell: { row, column, rowSpan: 1, columnSpan: 1, blocks: [] }, begins: true },
    ),
  );
}
