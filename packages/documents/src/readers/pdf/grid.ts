import { type Rect, overlapLength } from './geometry.ts';
import type { Graphics, Rule } from './graphics.ts';
import { headingEdges, paintedEdges } from './painted-cells.ts';
import { type Lines, SAME_RULE_POINTS, MIN_TABLE_SIZE_POINTS, isDrawn } from './rules.ts';
import { DisjointSets } from '../../disjoint-sets.ts';
import { append } from '../../package/append.ts';
import { largest, smallest } from '../../package/extremes.ts';

/** A cell of a ruled table, in lines of its grid and on the page. */
export interface GridCell extends Rect {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
}

export interface Grid extends Rect {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly GridCell[];
  /** Where its columns part, from left to right, both ends included. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** Grids with more cells are drawings. */
const MAX_CELLS = 40_000;
/** So many lines of one kind are looked at for crossings. */
const MAX_LINES = 1_500;

/** Lines at (nearly) one place, as stretches that do not overlap. */
function joinRules(rules: readonly Rule[]): Rule[] {
  const sorted = rules.toSorted((a, b) => a.at - b.at || a.from - b.from);
  const result: Rule[] = [];
  let group: Rule[] = [];
  const close = () => {
    if (group.length === 0) return;
    const at = group.reduce((sum, rule) => sum + rule.at, 0) / group.length;
    let open: { from: number; to: number } | null = null;
    for (const { from, to } of group.toSorted((a, b) => a.from - b.from)) {
      if (open !== null && from <= open.to + SAME_RULE_POINTS) open.to = Math.max(open.to, to);
      else {
        if (open !== null) result.push({ at, ...open });
        open = { from, to };
      }
    }
    if (open !== null) result.push({ at, ...open });
    group = [];
  };
  for (const rule of sorted) {
    if (group[0] !== undefined && rule.at - group[0].at > SAME_RULE_POINTS) close();
    group.push(rule);
  }
  close();
  return result
    .filter(({ from, to }) => to - from > SAME_RULE_POINTS)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_LINES);
}

/** Lines that touch, directly or through others. */
function connectedRules(across: readonly Rule[], down: readonly Rule[]): Lines[] {
  const sets = new DisjointSets(across.length + down.length);
  for (const [h, one] of across.entries())
    for (const [v, other] of down.entries())
      if (
        other.at >= one.from - SAME_RULE_POINTS &&
        other.at <= one.to + SAME_RULE_POINTS &&
        one.at >= other.from - SAME_RULE_POINTS &&
        one.at <= other.to + SAME_RULE_POINTS
      )
        sets.join(across.length + v, h);
  const groups = new Map<number, Lines>();
  const groupOf = (at: number) => {
    const root = sets.find(at);
    const group = groups.get(root) ?? { across: [], down: [] };
    groups.set(root, group);
    return group;
  };
  for (const [at, rule] of across.entries()) groupOf(at).across.push(rule);
  for (const [at, rule] of down.entries()) groupOf(across.length + at).down.push(rule);
  return [...groups.values()];
}

/** Values put together where they are near, in order. */
function clusterValues(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const groups: number[][] = [];
  for (const value of sorted) {
    const group = groups.at(-1);
    if (group !== undefined && value - group.at(-1)! <= SAME_RULE_POINTS) group.push(value);
    else groups.push([value]);
  }
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length);
}

/** Outer edges that are not drawn: Korean tables are often open at both sides, where the lines across end together. */
function openEdges(lines: readonly Rule[], crossing: readonly number[]): number[] {
  const [first, last] = [crossing.at(0), crossing.at(-1)];
  const found: number[] = [];
  const froms = lines.map(({ from }) => from);
  const tos = lines.map(({ to }) => to);
  const start = smallest(froms);
  const end = largest(tos);
  if (
    first === undefined ||
    (start < first - MIN_TABLE_SIZE_POINTS && froms.filter((from) => from < start + SAME_RULE_POINTS).length >= 2)
  )
    found.push(start);
  if (
    last === undefined ||
    (end > last + MIN_TABLE_SIZE_POINTS && tos.filter((to) => to > end - SAME_RULE_POINTS).length >= 2)
  )
    found.push(end);
  return found;
}

/** The grid of lines that touch; null where they make none. */
function gridOf({ across, down }: Lines): Grid | null {
  if (across.length < 2 || down.length === 0) return null;
  const verticals = down.map(({ at }) => at);
  const horizontals = across.map(({ at }) => at);
  const xs = clusterValues([...verticals, ...openEdges(across, clusterValues(verticals))]);
  const ys = clusterValues([...horizontals, ...openEdges(down, clusterValues(horizontals))]);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 1 || rows < 1 || columns * rows > MAX_CELLS) return null;
  const [x0, y0, x1, y1] = [xs[0]!, ys[0]!, xs[columns]!, ys[rows]!];
  if (x1 - x0 < MIN_TABLE_SIZE_POINTS || y1 - y0 < MIN_TABLE_SIZE_POINTS) return null;
  const merged = new DisjointSets(rows * columns);
  for (let column = 1; column < columns; column++) {
    const here = down.filter(({ at }) => Math.abs(at - xs[column]!) <= SAME_RULE_POINTS);
    for (let row = 0; row < rows; row++)
      if (!isDrawn(here, xs[column]!, ys[row]!, ys[row + 1]!))
        merged.join(row * columns + column, row * columns + column - 1);
  }
  for (let row = 1; row < rows; row++) {
    const here = across.filter(({ at }) => Math.abs(at - ys[row]!) <= SAME_RULE_POINTS);
    for (let column = 0; column < columns; column++)
      if (!isDrawn(here, ys[row]!, xs[column]!, xs[column + 1]!))
        merged.join(row * columns + column, (row - 1) * columns + column);
  }
  const cells = cellsOf(rows, columns, merged, { xs, ys });
  return cells === null ? null : { x0, y0, x1, y1, rows, columns, cells, xs, ys };
}

/** Cells put together must be rectangles; where many are none, the lines are no table. */
function cellsOf(
  rows: number,
  columns: number,
  merged: DisjointSets,
  { xs, ys }: { xs: readonly number[]; ys: readonly number[] },
): GridCell[] | null {
  const bounds = new Map<number, { r0: number; r1: number; c0: number; c1: number; count: number }>();
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const root = merged.find(row * columns + column);
      const bound = bounds.get(root);
      if (bound === undefined) bounds.set(root, { r0: row, r1: row, c0: column, c1: column, count: 1 });
      else {
        bound.r0 = Math.min(bound.r0, row);
        bound.r1 = Math.max(bound.r1, row);
        bound.c0 = Math.min(bound.c0, column);
        bound.c1 = Math.max(bound.c1, column);
        bound.count++;
      }
    }
  const cells: GridCell[] = [];
  const add = (r0: number, c0: number, r1: number, c1: number) =>
    cells.push({
      row: r0,
      column: c0,
      rowSpan: r1 - r0 + 1,
      columnSpan: c1 - c0 + 1,
      x0: xs[c0]!,
      y0: ys[r0]!,
      x1: xs[c1 + 1]!,
      y1: ys[r1 + 1]!,
    });
  let odd = 0;
  for (const [root, { r0, r1, c0, c1, count }] of bounds) {
    if (count === (r1 - r0 + 1) * (c1 - c0 + 1)) {
      add(r0, c0, r1, c1);
      continue;
    }
    odd++;
    // Row by row, as far as it goes.
    for (let row = r0; row <= r1; row++)
      for (let column = c0; column <= c1; column++) {
        if (merged.find(row * columns + column) !== root) continue;
        const from = column;
        while (column < c1 && merged.find(row * columns + column + 1) === root) column++;
        add(row, from, row, column);
      }
  }
  if (odd > 0 && odd > bounds.size * 0.2) return null;
  return cells.toSorted((a, b) => a.row - b.row || a.column - b.column);
}

/** Lines across that belong to no grid: they part what stands above and below, or frame tables without lines down. */
export interface Ruling {
  readonly grids: readonly Grid[];
  readonly loose: readonly Rule[];
}

/** Areas below each other are the background of lines of text: one box around them. */
const boxOf = (grid: Grid): Grid => {
  const { x0, y0, x1, y1 } = grid;
  const cell = { x0, y0, x1, y1, row: 0, column: 0, rowSpan: 1, columnSpan: 1 };
  return { ...grid, rows: 1, ys: [y0, y1], cells: [cell] };
};

/** Grids of a page, the smallest first, and what is left of its lines. */
export function rulingOf(graphics: Graphics): Ruling {
  const grids: Grid[] = [];
  const loose: Rule[] = [];
  const heads = headingEdges(graphics);
  const across = [...graphics.across, ...heads.across];
  for (const lines of connectedRules(joinRules(across), joinRules([...graphics.down, ...heads.down]))) {
    const grid = gridOf(lines);
    if (grid === null) append(loose, lines.across);
    else grids.push(grid);
  }
  const painted = paintedEdges(graphics);
  if (painted.across.length > 0)
    for (const lines of connectedRules(joinRules(painted.across), joinRules(painted.down))) {
      const grid = gridOf(lines);
      if (grid === null || grid.cells.length < 4) continue;
      const covered = grids.some(
        (other) =>
          overlapLength(other.x0, other.x1, grid.x0, grid.x1) > 0 &&
          overlapLength(other.y0, other.y1, grid.y0, grid.y1) > 0,
      );
      if (!covered) grids.push(grid.columns === 1 ? boxOf(grid) : grid);
    }
  const area = (grid: Grid) => (grid.x1 - grid.x0) * (grid.y1 - grid.y0);
  return { grids: grids.toSorted((a, b) => area(a) - area(b)), loose };
}
