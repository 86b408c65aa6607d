import type { Area } from './places.ts';

/** A cell by its place in the grid, with its size as it is stored; 0 where that is not told. Lengths are 1/7200 inch. */
export interface SizedCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly width: number;
  readonly height: number;
}

/** A cell may differ from its columns by this for each of them, as sizes are rounded. */
const MAX_ROUNDING_HWPUNIT = 200;
/** Edges follow from cells that begin or end at others; so often they are gone through. */
const MAX_PASSES = 6;

/** What a cell takes of one side of the table: lines `from` and `to` of its grid, and how far they are apart. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Where the lines of a grid stand, from the first one; null for those that do not follow from the cells. */
function edgesOf(count: number, stretches: readonly Stretch[]): readonly (number | null)[] {
  const edges: (number | null)[] = Array.from({ length: count + 1 }, () => null);
  edges[0] = 0;
  const ordered = stretches
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from);
  for (let pass = 0, changed = true; changed && pass < MAX_PASSES; pass++) {
    changed = false;
    for (const { from, to, length } of ordered) {
      const [begin, end] = [edges[from] ?? null, edges[to] ?? null];
      if ((begin === null) === (end === null)) continue;
      if (begin !== null) edges[to] = begin + length;
      else if (end !== null) edges[from] = end - length;
      changed = true;
    }
  }
  return edges;
}

/** Rows are as high as their highest cell. */
function rowStretches(cells: readonly SizedCell[]): Stretch[] {
  const heights = new Map<number, number>();
  for (const { row, rowSpan, height } of cells)
    if (rowSpan === 1) heights.set(row, Math.max(height, heights.get(row) ?? 0));
  const single = [...heights].map(([row, length]) => ({ from: row, to: row + 1, length }));
  const merged = cells.flatMap(({ row, rowSpan, height }) =>
    rowSpan === 1 ? [] : [{ from: row, to: row + rowSpan, length: height }],
  );
  return [...single, ...merged];
}

/**
 * Where cells stand from the upper left corner of their table, by their sizes; null for a cell whose place does not follow from them, or
 * whose width is another than that of its columns.
 */
export function cellAreas(cells: readonly SizedCell[], rows: number, columns: number): readonly (Area | null)[] {
  const widths = cells.map(({ column, columnSpan, width }) => ({
    from: column,
    to: column + columnSpan,
    length: width,
  }));
  const xs = edgesOf(columns, widths);
  const ys = edgesOf(rows, rowStretches(cells));
  return cells.map(({ row, column, rowSpan, columnSpan, width }) => {
    const [left, right] = [xs[column] ?? null, xs[column + columnSpan] ?? null];
    const [top, low] = [ys[row] ?? null, ys[row + rowSpan] ?? null];
    if (left === null || right === null || top === null || low === null || low <= top) return null;
    if (width <= 0 || Math.abs(right - left - width) > MAX_ROUNDING_HWPUNIT * columnSpan) return null;
    return { x: left, y: top, width: right - left, height: low - top };
  });
}
