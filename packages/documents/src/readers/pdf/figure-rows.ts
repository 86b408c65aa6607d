import { byCell } from './cells.ts';
import { median } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid, GridCell } from './grid.ts';
import { type Line, linesOf, rowsOf } from './lines.ts';

/** So many columns hold figures alone; two lines in a cell are more often one text than two rows. */
const MIN_FIGURE_COLUMNS = 2;
const MIN_FIGURE_COLUMNS_OF_TWO_ROWS = 4;
const MIN_ROWS = 3;
/** Of the rows, so many have a figure in each of these columns. */
const MIN_FILLED_SHARE = 0.5;
/** Lines that stand on one row differ by less, in the size of their letters. */
const SAME_BASE_EM = 0.4;

const isFigure = (row: readonly Line[]): boolean =>
  row.length === 1 &&
  /^(?:\(?[△▲+-]?\s?[$€£¥₩￦]?\s?\d[\d,.]*\s?(?:[%p]{0,2}|[천만억]?원|[€£])\)?|[-–—])$/u.test(row[0]!.text);

interface Column {
  readonly cell: GridCell;
  readonly rows: readonly Line[][];
}

/** Where the rows part that the lines of a row of cells make; none where they make no rows. */
function partingsOf(columns: readonly Column[]): number[] {
  // The words say which rows there are: figures may be left out.
  const labels = columns[0]?.rows.map(([line]) => line!) ?? [];
  if (labels.length < 2) return [];
  const figures = columns.filter(
    ({ rows }) => rows.length >= MIN_FILLED_SHARE * labels.length && rows.length > 1 && rows.every(isFigure),
  );
  if (figures.length < (labels.length < MIN_ROWS ? MIN_FIGURE_COLUMNS_OF_TWO_ROWS : MIN_FIGURE_COLUMNS)) return [];
  const size = median(labels.map((line) => line.size));
  const isBase = ({ base }: Line) => labels.some((label) => Math.abs(label.base - base) < SAME_BASE_EM * size);
  if (!columns.every(({ rows }) => rows.every(([line]) => isBase(line!)))) return [];
  return labels.slice(1).map(({ base }, at) => (labels[at]!.base + base - 0.8 * size) / 2);
}

/**
 * A grid whose rows have no lines between them, with rows of its own for the figures that stand beside each other in its columns: tables of
 * numbers often have lines down alone.
 */
export function withFigureRows(grid: Grid, glyphs: readonly Glyph[]): Grid {
  const parts = byCell(grid, glyphs);
  const ys: number[] = [grid.ys[0]!];
  const cells: GridCell[] = [];
  for (let row = 0; row < grid.rows; row++) {
    const start = ys.length - 1;
    const here = grid.cells.filter((cell) => cell.row <= row && cell.row + cell.rowSpan > row);
    const columns = here
      .toSorted((a, b) => a.column - b.column)
      .map((cell) => ({ cell, rows: rowsOf(linesOf(parts.get(cell) ?? [])) }));
    const edges = here.every(({ rowSpan }) => rowSpan === 1) ? partingsOf(columns) : [];
    ys.push(...edges, grid.ys[row + 1]!);
    for (const cell of here.filter((one) => one.row === row))
      for (let part = 0; part <= edges.length; part++)
        cells.push(
          edges.length === 0
            ? { ...cell, row: start }
            : { ...cell, row: start + part, y0: ys[start + part]!, y1: ys[start + part + 1]! },
        );
  }
  if (ys.length === grid.ys.length) return grid;
  const shift = (row: number) => ys.findIndex((y) => y === grid.ys[row]);
  return {
    ...grid,
    ys,
    rows: ys.length - 1,
    cells: cells.map((cell) => {
      const from = grid.ys.indexOf(cell.y0);
      const to = grid.ys.indexOf(cell.y1);
      return from === -1 || to === -1 ? cell : { ...cell, rowSpan: shift(to) - cell.row };
    }),
  };
}
