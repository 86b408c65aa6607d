import { type Rect, boundingRect, heightOf, widthOf } from './geometry.ts';
import { type Fill, WHITE_RGB } from './graphics.ts';

/** Bars of a chart stand on one line, are as thick as each other, and not all as long. */
const MIN_BARS = 3;
const MIN_THICKNESS_POINTS = 2.5;
/** Edges that differ by no more are at one place. */
const SAME_POINTS = 1.5;
/** Bars further apart, in their own thickness, are those of another chart. */
const MAX_GAP = 3;

interface Bar {
  readonly fill: Fill;
  /** Along the line that the bars stand on. */
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function runsOf(bars: readonly Bar[]): Bar[][] {
  const runs: Bar[][] = [];
  for (const bar of bars.toSorted((a, b) => a.from - b.from)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last !== undefined && bar.from - last.to <= MAX_GAP * (last.to - last.from)) run!.push(bar);
    else runs.push([bar]);
  }
  return runs;
}

const isChart = (run: readonly Bar[]): boolean =>
  new Set(run.map(({ from }) => Math.round(from / SAME_POINTS))).size >= MIN_BARS &&
  new Set(run.map(({ length }) => Math.round(length / SAME_POINTS))).size >= 2;

/** Rows of bars, each with the fills that it is made of. `holdsText` tells cells that are painted from bars. */
export function barsOf(fills: readonly Fill[], holdsText: (fill: Rect) => boolean): Rect[] {
  const groups = new Map<string, Bar[]>();
  const add = (key: string, bar: Bar) => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bar]);
    else group.push(bar);
  };
  const place = (value: number) => Math.round(value / SAME_POINTS);
  for (const fill of fills) {
    const [width, height] = [widthOf(fill), heightOf(fill)];
    if (fill.colour === WHITE_RGB || Math.min(width, height) < MIN_THICKNESS_POINTS) continue;
    add(`down ${place(fill.y1)} ${place(width)}`, { fill, from: fill.x0, to: fill.x1, length: height });
    add(`across ${place(fill.x0)} ${place(height)}`, { fill, from: fill.y0, to: fill.y1, length: width });
  }
  return [...groups.values()]
    .filter(({ length }) => length >= MIN_BARS)
    .flatMap(runsOf)
    .filter(isChart)
    .filter((run) => run.filter(({ fill }) => holdsText(fill)).length <= run.length / 2)
    .map((run) => boundingRect(run.map(({ fill }) => fill)));
}
