import { type Rect, heightOf, isCentredIn, widthOf } from './geometry.ts';
import type { Grid, GridCell } from './grid.ts';

/** A frame around a page takes this share of what stands on it, both ways. */
const MIN_FRAME_SHARE = 0.6;
/** What stands above or below a table in a frame is at least so high, as a share of the frame. */
const MIN_PART_SHARE = 0.1;
/** Cells as wide as the frame that hold tables take most of it; a form has one such cell among others. */
const MIN_OPEN_SHARE = 0.5;
/** Frames of fewer cells are boxes around a text. */
const MIN_INNER_CELLS = 4;

const sizeOf = (rect: Rect) => widthOf(rect) * heightOf(rect);

/** True for a grid that is larger than most of what stands on the page, both ways. */
export const isPageWide = (grid: Rect, whole: Rect): boolean =>
  heightOf(grid) > MIN_FRAME_SHARE * heightOf(whole) && widthOf(grid) > MIN_FRAME_SHARE * widthOf(whole);

/** Cells as wide as a frame that are a part of the page and not of a table; none where the grid is a table. */
function openCellsOf(grid: Grid, grids: readonly Grid[]): ReadonlySet<GridCell> {
  const wide = grid.cells.filter(
    (cell) =>
      cell.columnSpan === grid.columns && cell.rowSpan < grid.rows && heightOf(cell) >= MIN_PART_SHARE * heightOf(grid),
  );
  const holding = wide.filter((cell) =>
    grids.some((inner) => inner !== grid && inner.cells.length >= MIN_INNER_CELLS && isCentredIn(inner, cell)),
  );
  const height = holding.reduce((sum, cell) => sum + heightOf(cell), 0);
  return new Set(height >= MIN_OPEN_SHARE * heightOf(grid) ? wide : []);
}

/** The rows of a grid from one to before another, as a grid of their own. */
const rowsOf = (grid: Grid, from: number, to: number): Grid => ({
  x0: grid.x0,
  x1: grid.x1,
  y0: grid.ys[from]!,
  y1: grid.ys[to]!,
  rows: to - from,
  columns: grid.columns,
  xs: grid.xs,
  ys: grid.ys.slice(from, to + 1),
  cells: grid.cells.flatMap((cell) => (cell.row >= from && cell.row < to ? [{ ...cell, row: cell.row - from }] : [])),
});

/** Tables of a frame, and the parts of the page above, between and below them, from top to bottom. */
function partsOfFrame(grid: Grid, open: ReadonlySet<GridCell>): Grid[] {
  const parts: Grid[] = [];
  let from = 0;
  for (const cell of [...open].toSorted((a, b) => a.row - b.row)) {
    if (cell.row > from) parts.push(rowsOf(grid, from, cell.row));
    from = cell.row + cell.rowSpan;
    parts.push(rowsOf(grid, cell.row, from));
  }
  if (from < grid.rows) parts.push(rowsOf(grid, from, grid.rows));
  return parts;
}

/**
 * Grids without frames around the page that a table within touches: their lines and its own make one grid, in which what stands above and
 * below the table, other tables among it, is a cell as wide as the frame. The smallest come first.
 */
export function withoutPageFrames(grids: readonly Grid[], whole: Rect): readonly Grid[] {
  if (grids.length < 2) return grids;
  const parts = grids.flatMap((grid) => {
    const open = isPageWide(grid, whole) ? openCellsOf(grid, grids) : new Set<GridCell>();
    return open.size === 0 ? [grid] : partsOfFrame(grid, open);
  });
  return parts.length === grids.length ? grids : parts.toSorted((a, b) => sizeOf(a) - sizeOf(b));
}
