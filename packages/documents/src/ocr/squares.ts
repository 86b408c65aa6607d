import type { PixelRect } from './grey.ts';
import type { Component, Ink } from './ink.ts';

// Squares that are drawn: four straight edges as long as letters are high, with white or a mark between them.

/** Sides of a square, in letter heights. Vowels and consonants of Hangul that are squares are smaller. */
const MIN_SIDE_LETTERS = 0.6;
const MAX_SIDE_LETTERS = 1.7;
/** How far a mark may go over the edges, in sides. */
const MAX_OVERHANG_SIDES = 0.7;
const MAX_ASPECT_RATIO = 1.2;
/** Edges are drawn along most of their length, end together, and are thin; in sides. */
const MIN_EDGE_LENGTH_SIDES = 0.75;
const MAX_EDGE_OFFSET_SIDES = 0.08;
/** A mark that leaves a square at a corner makes its edges longer there by this at most. */
const MAX_EDGE_OVERHANG_SIDES = 0.25;
const MAX_EDGE_THICKNESS_SIDES = 0.22;
/** The thinnest edge of a box is thinner than strokes of large bold letters. */
const MAX_THINNEST_EDGE_SIDES = 0.17;
/** Ink that goes along right outside of an edge belongs to something round. */
const MAX_OUTSIDE_SIDES = 0.4;
/** A row within a hatched square crosses more strokes than this, as a mean. */
const MAX_STROKES = 2.4;
/** Longest gap in the ink of an edge. */
const MAX_INK_GAP_PX = 2;
/** Shares of ink: within an empty square (dirt), and of one that is filled in. */
const MAX_EMPTY_SHARE = 0.05;
const MIN_FILLED_SHARE = 0.9;
/** A row or column within a square that is ink to this share goes from edge to edge, as in 日 and 田. */
const MIN_BAR_SHARE = 0.9;
/** Most ink of a letter is in such bars. */
const MIN_BARS_SHARE = 0.75;
/** Squares of one page; more are a pattern. */
const MAX_SQUARES = 2_000;

/** A square on a page, in pixels. */
export interface Square extends PixelRect {
  /** What lies between its edges. */
  readonly inner: PixelRect;
  readonly inside: 'nothing' | 'mark' | 'ink';
  /** Its ink, and what of its mark goes over its edges. */
  readonly component: Component;
}

interface Run {
  readonly from: number;
  readonly to: number;
}

const lengthOf = ({ from, to }: Run) => to - from;

/** The longest stretch of ink, small gaps included, among pixels that are `step` apart. */
function longestRun(data: Uint8Array, first: number, count: number, step: number): Run {
  let best: Run = { from: 0, to: 0 };
  let [from, last] = [-1, -1];
  for (let at = 0; at < count; at++) {
    if (data[first + at * step] !== 1) continue;
    if (from === -1 || at - last > MAX_INK_GAP_PX + 1) from = at;
    last = at;
    if (last + 1 - from > best.to - best.from) best = { from, to: last + 1 };
  }
  return best;
}

/** The first and the last of these runs that are nearly as long as the longest. */
function outerEdges(runs: readonly Run[]): { readonly first: number; readonly last: number } {
  const least = MIN_EDGE_LENGTH_SIDES * runs.reduce((most, run) => Math.max(most, lengthOf(run)), 0);
  return {
    first: runs.findIndex((run) => lengthOf(run) >= least),
    last: runs.findLastIndex((run) => lengthOf(run) >= least),
  };
}

/** What the outermost runs of an edge take together: one of them alone may be ragged. */
function edgeFrom(runs: readonly Run[], at: number, step: 1 | -1): Run {
  const least = MIN_EDGE_LENGTH_SIDES * lengthOf(runs[at]!);
  const outer = [0, 1, 2].flatMap((count) => runs[at + count * step] ?? []).filter((run) => lengthOf(run) >= least);
  return { from: Math.min(...outer.map(({ from }) => from)), to: Math.max(...outer.map(({ to }) => to)) };
}

/** How many runs from one on are as long as an edge: its thickness. */
function thicknessFrom(runs: readonly Run[], at: number, step: 1 | -1, side: number): number {
  let count = 0;
  while (runs[at + count * step] !== undefined && lengthOf(runs[at + count * step]!) >= MIN_EDGE_LENGTH_SIDES * side)
    count++;
  return count;
}

/** Ink within a square, without its edges: its share, that of bars from edge to edge in it, and the strokes that its rows cross. */
function inkInside({ width, data }: Ink, { x0, y0, x1, y1 }: PixelRect) {
  const rows = new Uint32Array(Math.max(0, y1 - y0));
  const columns = new Uint32Array(Math.max(0, x1 - x0));
  let [all, strokes] = [0, 0];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++)
      if (data[y * width + x] === 1) {
        if (x === x0 || data[y * width + x - 1] === 0) strokes++;
        rows[y - y0]!++;
        columns[x - x0]!++;
        all++;
      }
  let bars = 0;
  for (const count of rows) if (count >= MIN_BAR_SHARE * columns.length) bars += count;
  for (const count of columns) if (count >= MIN_BAR_SHARE * rows.length) bars += count;
  return {
    share: all / Math.max(1, rows.length * columns.length),
    bars: all === 0 ? 0 : bars / all,
    strokes: strokes / Math.max(1, rows.length),
  };
}

/** How many corners of a frame the ink of its edges goes beyond; more than there are where an edge does not reach them. */
function overhungCorners(
  [top, low, left, right]: readonly [Run, Run, Run, Run],
  { x0, y0, x1, y1 }: PixelRect,
  side: number,
): number {
  const slack = Math.max(2, MAX_EDGE_OFFSET_SIDES * side);
  const over = new Set<string>();
  const sees = ({ from, to }: Run, [begin, end]: readonly [number, number], corners: readonly [string, string]) => {
    if (begin - from > slack) over.add(corners[0]);
    if (to - end > slack) over.add(corners[1]);
    const most = MAX_EDGE_OVERHANG_SIDES * side;
    return from - begin <= slack && end - to <= slack && begin - from <= most && to - end <= most;
  };
  const isWhole =
    sees(top, [x0, x1], ['top left', 'top right']) &&
    sees(low, [x0, x1], ['low left', 'low right']) &&
    sees(left, [y0, y1], ['top left', 'low left']) &&
    sees(right, [y0, y1], ['top right', 'low right']);
  return isWhole ? over.size : Infinity;
}

/** The frame that a component of ink is; null where its edges are not those of a square. */
function frameOf({ width, data }: Ink, component: Component) {
  const [across, down] = [component.x1 - component.x0, component.y1 - component.y0];
  const begin = component.y0 * width + component.x0;
  const rows = Array.from({ length: down }, (_, y) => longestRun(data, begin + y * width, across, 1));
  const columns = Array.from({ length: across }, (_, x) => longestRun(data, begin + x, down, width));
  const [vertical, horizontal] = [outerEdges(rows), outerEdges(columns)];
  const rect = { x0: horizontal.first, x1: horizontal.last + 1, y0: vertical.first, y1: vertical.last + 1 };
  const [wide, high] = [rect.x1 - rect.x0, rect.y1 - rect.y0];
  const side = Math.max(wide, high);
  if (Math.min(wide, high) < 4 || side > MAX_ASPECT_RATIO * Math.min(wide, high)) return null;
  const [top, low] = [edgeFrom(rows, vertical.first, 1), edgeFrom(rows, vertical.last, -1)];
  const [left, right] = [edgeFrom(columns, horizontal.first, 1), edgeFrom(columns, horizontal.last, -1)];
  // Strokes of letters go on beyond several of its corners, a mark beyond one.
  if (overhungCorners([top, low, left, right], rect, side) > 1) return null;
  const away = Math.max(2, Math.round(0.06 * side));
  const outside = [rows[vertical.first - away], rows[vertical.last + away]];
  outside.push(columns[horizontal.first - away], columns[horizontal.last + away]);
  if (outside.some((run) => run !== undefined && lengthOf(run) > MAX_OUTSIDE_SIDES * side)) return null;
  const edges = [
    thicknessFrom(rows, vertical.first, 1, wide),
    thicknessFrom(rows, vertical.last, -1, wide),
    thicknessFrom(columns, horizontal.first, 1, high),
    thicknessFrom(columns, horizontal.last, -1, high),
  ];
  if (Math.min(...edges) > MAX_THINNEST_EDGE_SIDES * side) return null;
  const thickness = Math.max(...edges);
  const { x0, y0 } = component;
  return { x0: x0 + rect.x0, y0: y0 + rect.y0, x1: x0 + rect.x1, y1: y0 + rect.y1, side, thickness };
}

function squareOf(ink: Ink, component: Component, letter: number): Square | null {
  const [across, down] = [component.x1 - component.x0, component.y1 - component.y0];
  const [least, most] = [MIN_SIDE_LETTERS * letter, MAX_SIDE_LETTERS * letter];
  if (Math.min(across, down) < least || Math.max(across, down) > (1 + MAX_OVERHANG_SIDES) * most) return null;
  const filled = component.area >= MIN_FILLED_SHARE * across * down;
  if (filled) {
    const isSquare = Math.max(across, down) <= MAX_ASPECT_RATIO * Math.min(across, down) && across <= most;
    const { x0, y0, x1, y1 } = component;
    return isSquare ? { x0, y0, x1, y1, inner: component, inside: 'ink', component } : null;
  }
  const frame = frameOf(ink, component);
  if (frame === null) return null;
  const { x0, y0, x1, y1, side, thickness } = frame;
  if (side < least || side > most || Math.max(across, down) > (1 + MAX_OVERHANG_SIDES) * side) return null;
  // Where a mark meets an edge, that looks thick.
  const inset = Math.min(thickness, Math.ceil(MAX_EDGE_THICKNESS_SIDES * side)) + 1;
  const inner = { x0: x0 + inset, y0: y0 + inset, x1: x1 - inset, y1: y1 - inset };
  const { share, bars, strokes } = inkInside(ink, inner);
  const isLetter = bars >= MIN_BARS_SHARE || strokes > MAX_STROKES;
  if (share > MAX_EMPTY_SHARE && share < MIN_FILLED_SHARE && isLetter) return null;
  const inside = share <= MAX_EMPTY_SHARE ? 'nothing' : 'mark';
  return { x0, y0, x1, y1, inner, inside, component };
}

/** Squares on a page whose letters are so high, in pixels: those of tables, which are parts of larger components, are none. */
export function squaresOf(ink: Ink, components: readonly Component[], letter: number): readonly Square[] {
  const found: Square[] = [];
  for (const component of components) {
    const square = found.length < MAX_SQUARES ? squareOf(ink, component, letter) : null;
    if (square !== null) found.push(square);
  }
  return found;
}
