import { type Rect, heightOf } from './geometry.ts';
import type { Grid, GridCell } from './grid.ts';

/** Edges of boxes of one row differ by less. */
const SAME_EDGE_POINTS = 3;
/** White between such boxes, where an arrow may stand. */
const MAX_GAP_POINTS = 45;
/** So many boxes of one row each; of boxes with a heading each, two are enough. */
const MIN_BOXES = 3;
const MIN_HEADED_BOXES = 2;
/** Boxes with more rows are tables of their own, or text with lines between. */
const MAX_ROWS = 4;

const isNear = (one: number, other: number) => Math.abs(one - other) < SAME_EDGE_POINTS;

const isBeside = (one: Grid, other: Grid): boolean =>
  one.ys.length === other.ys.length &&
  one.ys.every((y, at) => isNear(y, other.ys[at]!)) &&
  other.x0 - one.x1 >= SAME_EDGE_POINTS &&
  other.x0 - one.x1 <= MAX_GAP_POINTS;

/** Boxes in a row as one grid, with a column for what stands between two of them. */
function joined(boxes: readonly Grid[]): Grid {
  const [first] = boxes as [Grid];
  const xs = boxes.flatMap(({ x0, x1 }) => [x0, x1]);
  const { ys, rows } = first;
  const between: Rect[] = boxes
    .slice(1)
    .map((box, at) => ({ x0: boxes[at]!.x1, x1: box.x0, y0: first.y0, y1: first.y1 }));
  const cells: GridCell[] = [
    ...boxes.flatMap((box, at) => box.cells.map((cell) => ({ ...cell, column: 2 * at }))),
    ...between.map((rect, at) => ({ ...rect, row: 0, rowSpan: rows, column: 2 * at + 1, columnSpan: 1 })),
  ];
  return {
    x0: first.x0,
    y0: first.y0,
    x1: xs.at(-1)!,
    y1: first.y1,
    rows,
    columns: xs.length - 1,
    xs,
    ys,
    cells: cells.toSorted((a, b) => a.row - b.row || a.column - b.column),
  };
}

/** Grids in which boxes beside each other, such as steps and the years of a plan, are one: they are read from left to right. */
export function withBoxRows(grids: readonly Grid[]): readonly Grid[] {
  const single = grids.filter(({ columns, rows }) => columns === 1 && rows <= MAX_ROWS).toSorted((a, b) => a.x0 - b.x0);
  const taken = new Set<Grid>();
  const rows: Grid[] = [];
  for (const start of single) {
    if (taken.has(start)) continue;
    const row = [start];
    for (let next: Grid | undefined = start; next !== undefined;) {
      const last: Grid = next;
      next = single.find((other) => !taken.has(other) && isBeside(last, other));
      if (next !== undefined) row.push(next);
    }
    if (row.length < (start.rows > 1 ? MIN_HEADED_BOXES : MIN_BOXES)) continue;
    for (const box of row) taken.add(box);
    rows.push(joined(row));
  }
  if (rows.length === 0) return grids;
  const area = (grid: Grid) => heightOf(grid) * (grid.x1 - grid.x0);
  return [...grids.filter((grid) => !taken.has(grid)), ...rows].toSorted((a, b) => area(a) - area(b));
}
