import type { Area } from './cell-references.ts';
import type { Cell, Grid } from './sheet.ts';
import { append } from '../../package/append.ts';

/** Cells that stand together, parted from others by empty rows or columns. */
export interface Region extends Area {
  readonly cells: readonly Cell[];
}

/** The whole of a place that is merged, else the place itself. */
function areasBy(merged: readonly Area[]): (cell: Cell) => Area {
  const byStart = new Map(merged.map((area) => [`${area.top} ${area.left}`, area]));
  return ({ row, column }) => byStart.get(`${row} ${column}`) ?? { top: row, bottom: row, left: column, right: column };
}

/** Ranges of numbers that overlap or touch, in order. */
function mergeRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

const MAX_CUTS = 12;
/** Columns beside each other that share this much of their rows are one table, though one empty column parts them to look well. */
const MIN_SHARED_ROWS_SHARE = 0.8;

function sharedRowsShare(one: readonly Cell[], other: readonly Cell[]): number {
  const [a, b] = [new Set(one.map(({ row }) => row)), new Set(other.map(({ row }) => row))];
  const both = [...a].filter((row) => b.has(row)).length;
  return both / (a.size + b.size - both);
}

/** Parts beside each other that belong together are one again. */
function rejoinColumns(groups: readonly Cell[][], parts: readonly (readonly [number, number])[]): Cell[][] {
  const joined: Cell[][] = [];
  for (const [at, group] of groups.entries()) {
    const last = joined.at(-1);
    const gap = (parts[at]?.[0] ?? 0) - (parts[at - 1]?.[1] ?? 0) - 1;
    if (
      last !== undefined &&
      gap === 1 &&
      group.length > 1 &&
      last.length > 1 &&
      sharedRowsShare(last, group) >= MIN_SHARED_ROWS_SHARE
    )
      append(last, group);
    else joined.push([...group]);
  }
  return joined;
}

/** Cuts cells at empty rows, then each part at empty columns, until nothing parts them. */
function cutAtEmptyLines(
  cells: readonly Cell[],
  areaOf: (cell: Cell) => Area,
  byRows: boolean,
  left: number,
  uncut: boolean,
): Region[] {
  const rangeOf = (cell: Cell): readonly [number, number] => {
    const area = areaOf(cell);
    return byRows ? [area.top, area.bottom] : [area.left, area.right];
  };
  const parts = mergeRanges(cells.map(rangeOf));
  if ((parts.length === 1 && uncut) || left === 0) {
    const areas = cells.map(areaOf);
    const all = (pick: (area: Area) => number) => areas.map(pick);
    return [
      {
        cells,
        top: all(({ top }) => top).reduce((a, b) => Math.min(a, b)),
        left: all((area) => area.left).reduce((a, b) => Math.min(a, b)),
        bottom: all(({ bottom }) => bottom).reduce((a, b) => Math.max(a, b)),
        right: all(({ right }) => right).reduce((a, b) => Math.max(a, b)),
      },
    ];
  }
  const ends = parts.map(([, to]) => to);
  const groups = parts.map((): Cell[] => []);
  for (const cell of cells) {
    const [from] = rangeOf(cell);
    // The first part that does not end before it: by halving, as sheets are long.
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    groups[low]?.push(cell);
  }
  const whole = byRows ? groups : rejoinColumns(groups, parts);
  return whole.flatMap((group) => cutAtEmptyLines(group, areaOf, !byRows, left - 1, whole.length === 1));
}

/** The parts of a sheet, from the top down and from left to right. */
export function regionsOf({ cells, merged }: Grid): Region[] {
  if (cells.length === 0) return [];
  return cutAtEmptyLines(cells, areasBy(merged), true, MAX_CUTS, false).toSorted(
    (a, b) => a.top - b.top || a.left - b.left,
  );
}
