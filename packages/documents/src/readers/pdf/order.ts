import { type Rect, boundingRect, heightOf, median, widthOf } from './geometry.ts';
import { append } from '../../package/append.ts';
import { smallest } from '../../package/extremes.ts';

/** An item that is put in order: a line of text (with the size of its letters) or a table or picture. */
export interface Placed extends Rect {
  readonly size?: number;
  readonly base?: number;
}

/** Items of one column, from top to bottom, and how wide the column is. */
export interface Region<Item extends Placed> {
  readonly x0: number;
  readonly x1: number;
  readonly items: readonly Item[];
}

/** Least white between columns. */
const MIN_GUTTER_POINTS = 7;
/** Least width of a column, as a share of the page or region. */
const MIN_COLUMN_WIDTH_SHARE = 0.12;
const MAX_COLUMN_DEPTH = 6;
/** The median line of a text column is at least this share of its width; those of a table's column are shorter. */
const MIN_LINE_WIDTH_SHARE = 0.55;
/** The widest blank of a justified line of a narrow column. */
const MAX_BLANK_EM = 2.2;
/** Such a line ends where its column does. */
const MAX_RAGGED_SHARE = 0.05;
const MIN_JUSTIFIED_LINES = 6;
/** Lines beside a block that is a column by itself. */
const MIN_TEXT_LINES = 3;
/** Least height of such a block. */
const MIN_BLOCK_POINTS = 60;

type Interval = readonly [from: number, to: number];

interface Strip<Item> {
  readonly items: Item[];
  readonly y0: number;
  y1: number;
}

/** Top and bottom of an item; of letters without the room above and below them, so that neighbouring lines do not overlap. */
const verticalExtentOf = (item: Placed): Interval =>
  item.size === undefined || item.base === undefined
    ? [item.y0, item.y1]
    : [item.base - 0.65 * item.size, item.base + 0.05 * item.size];

function stripsOf<Item extends Placed>(items: readonly Item[]): Strip<Item>[] {
  const strips: Strip<Item>[] = [];
  for (const item of items.toSorted((a, b) => verticalExtentOf(a)[0] - verticalExtentOf(b)[0])) {
    const [from, to] = verticalExtentOf(item);
    const strip = strips.at(-1);
    if (strip !== undefined && from < strip.y1) {
      strip.items.push(item);
      strip.y1 = Math.max(strip.y1, to);
    } else strips.push({ items: [item], y0: from, y1: to });
  }
  return strips;
}

/** Intervals between two edges in which nothing stands. */
function freeIntervals(items: readonly Rect[], [start, end]: Interval): Interval[] {
  const gaps: Interval[] = [];
  let at = start;
  for (const { x0, x1 } of items.toSorted((a, b) => a.x0 - b.x0)) {
    if (x0 - at >= MIN_GUTTER_POINTS) gaps.push([at, x0]);
    at = Math.max(at, x1);
  }
  if (end - at >= MIN_GUTTER_POINTS) gaps.push([at, end]);
  return gaps;
}

/** Intervals in both lists, which are in order and without overlaps each. */
function intersectIntervals(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  let [a, b] = [0, 0];
  while (a < some.length && b < others.length) {
    const [[a0, a1], [b0, b1]] = [some[a]!, others[b]!];
    const [from, to] = [Math.max(a0, b0), Math.min(a1, b1)];
    if (to - from >= MIN_GUTTER_POINTS) result.push([from, to]);
    if (a1 < b1) a++;
    else b++;
  }
  return result;
}

/** Gaps with room for a column on either side. */
const gapsAwayFromEdges = (gaps: readonly Interval[], [start, end]: Interval) =>
  gaps.filter(
    ([from, to]) =>
      from > start + MIN_COLUMN_WIDTH_SHARE * (end - start) && to < end - MIN_COLUMN_WIDTH_SHARE * (end - start),
  );

/** Items by the columns that the gaps part. */
function columnsOf<Item extends Placed>(items: readonly Item[], gaps: readonly Interval[]): Item[][] {
  const columns: Item[][] = Array.from({ length: gaps.length + 1 }, () => []);
  for (const item of items) {
    const middle = (item.x0 + item.x1) / 2;
    const at = gaps.findIndex(([from]) => middle < from);
    columns[at === -1 ? gaps.length : at]!.push(item);
  }
  return columns;
}

/** True when columns are text that is read one after the other, and not those of a table or of pairs of names and values. */
function isText(columns: readonly (readonly Placed[])[]): boolean {
  if (columns.some(([only, ...others]) => others.length === 0 && !isTallBlock(only))) return false;
  const hasText = columns.some((column) => column.filter(({ size }) => size !== undefined).length >= MIN_TEXT_LINES);
  if (!hasText && columns.some(({ length }) => length < 2)) return false;
  const lines = columns.map((column) => wholeLines(column.filter(({ size }) => size !== undefined)));
  const fills = lines.map(fillOf);
  const framed = columns.map(isFramed);
  if (lines.some((column, at) => !framed[at] && column.length > 0 && column.length < 3 && fills[at]! < 0.9))
    return false;
  if (smallest(fills) >= MIN_LINE_WIDTH_SHARE)
    return lines.every((column, at) => framed[at] === true || column.length === 0 || hasLongLines(column));
  // Names and values stand on the same lines.
  const [first = [], ...others] = lines;
  const bases = others.flatMap((column) => column.map(({ base = 0 }) => base)).toSorted((a, b) => a - b);
  let next = 0;
  let paired = 0;
  for (const base of first.map((line) => line.base ?? 0).toSorted((a, b) => a - b)) {
    while (next < bases.length && bases[next]! <= base - 2) next++;
    if (next < bases.length && bases[next]! < base + 2) paired++;
  }
  return paired < 0.5 * smallest(lines.map(({ length }) => Math.max(1, length)));
}

/** A table, a picture or a frame with text that is as high as some lines: it may be all of a column. */
const isTallBlock = (item: Placed | undefined): boolean =>
  item !== undefined && item.size === undefined && heightOf(item) >= MIN_BLOCK_POINTS;

/** How much of the width of their column its lines take. */
const fillOf = (lines: readonly Placed[]): number =>
  lines.length === 0 ? 1 : median(lines.map(widthOf)) / Math.max(1, widthOf(boundingRect(lines)));

/** Lines of a column; where it is justified and most are cut at blanks as wide as the white between columns, whole ones. */
function wholeLines(lines: readonly Placed[]): readonly Placed[] {
  if (fillOf(lines) >= MIN_LINE_WIDTH_SHARE) return lines;
  const column = boundingRect(lines);
  const rows = [...Map.groupBy(lines, ({ base = 0 }) => base).values()].map((row) => {
    const parts = row.toSorted((a, b) => a.x0 - b.x0);
    const isWhole =
      parts.at(-1)!.x1 > column.x1 - MAX_RAGGED_SHARE * widthOf(column) &&
      parts.every((part, at) => at === 0 || part.x0 - parts[at - 1]!.x1 < MAX_BLANK_EM * (part.size ?? 0));
    return isWhole ? [{ ...parts[0]!, x1: parts.at(-1)!.x1 }] : parts;
  });
  const whole = rows.flat();
  return rows.length >= MIN_JUSTIFIED_LINES && fillOf(whole) >= MIN_LINE_WIDTH_SHARE ? whole : lines;
}

/** True when tables and pictures take most of a column: lines beside them are captions, as short as they may be. */
function isFramed(column: readonly Placed[]): boolean {
  const blocks = column.filter(({ size }) => size === undefined);
  const taken = blocks.reduce((total, block) => total + heightOf(block), 0);
  return blocks.length > 0 && taken > 0.5 * heightOf(boundingRect(column));
}

/** Text has lines of some words; figures and names have not. */
const hasLongLines = (column: readonly Placed[]) =>
  median(column.map((line) => widthOf(line) / (line.size ?? 10))) >= 8;

/**
 * Items in the order in which they are read: strips of the page from top to bottom, and where strips share white from top to
 * bottom between columns of text, column by column.
 */
export function readingOrder<Item extends Placed>(items: readonly Item[], depth = 0): Region<Item>[] {
  if (items.length === 0) return [];
  const bounds = boundingRect(items);
  const edges: Interval = [bounds.x0, bounds.x1];
  const strips = stripsOf(items);
  const whole = (some: readonly Item[]): Region<Item> => ({ x0: bounds.x0, x1: bounds.x1, items: some });
  if (depth >= MAX_COLUMN_DEPTH) return [whole(strips.flatMap((strip) => strip.items))];
  const regions: Region<Item>[] = [];
  let plain: Item[] = [];
  const known = new Map<Strip<Item>, readonly Interval[]>();
  const gapsOf = (strip: Strip<Item>): readonly Interval[] => {
    const gaps = known.get(strip) ?? columnGapsOf(strip.items, edges);
    known.set(strip, gaps);
    return gaps;
  };
  const close = () => {
    if (plain.length > 0) regions.push(whole(plain));
    plain = [];
  };
  for (let at = 0; at < strips.length;) {
    const end = endsAbove(plain, strips, at) ? nothing(at) : columnsEnd(strips, at, { edges, gapsOf });
    const group = strips.slice(at, end.at);
    const columns = columnsOf(
      group.flatMap((strip) => strip.items),
      end.gaps,
    );
    if (end.gaps.length > 0 && isText(columns)) {
      close();
      for (const column of columns) append(regions, readingOrder(column, depth + 1));
      at = end.at;
    } else {
      append(plain, strips[at]!.items);
      at++;
    }
  }
  close();
  return regions;
}

const nothing = (at: number): { at: number; gaps: Interval[] } => ({ at: at + 1, gaps: [] });

/** Pitches that differ by less, in the size of the letters, are the same. */
const SAME_PITCH_EM = 0.1;
const MAX_LINE_PITCH_EM = 1.9;

/** True for a short line that ends the paragraph over the whole width above it, nearer to it than to the columns below. */
function endsAbove<Item extends Placed>(plain: readonly Item[], strips: readonly Strip<Item>[], at: number): boolean {
  const [above, line, below] = [plain.at(-1), strips[at]!.items[0]!, strips[at + 1]];
  if (above?.size === undefined || line.size === undefined || strips[at]!.items.length > 1 || below === undefined)
    return false;
  const step = (line.base ?? 0) - (above.base ?? 0);
  const next = below.y0 - verticalExtentOf(line)[0];
  return (
    above.x1 > line.x1 &&
    Math.abs(above.size - line.size) < SAME_PITCH_EM * line.size &&
    Math.abs(above.x0 - line.x0) < 2.5 * line.size &&
    step <= MAX_LINE_PITCH_EM * line.size &&
    step < next - SAME_PITCH_EM * line.size
  );
}

/** Pages have fewer; of one that has more, no more is looked at together, and fewer where they are thousands. */
const MAX_STRIPS = 500;
/** Strips that are looked at for a page, from each of them down. */
const MAX_LOOKED = 500_000;
/** Text has fewer columns. */
const MAX_GAPS = 30;

/** The last strip to which the white between columns reaches that begins with a strip, and that white. */
function columnsEnd<Item extends Placed>(
  strips: readonly Strip<Item>[],
  start: number,
  { edges, gapsOf }: { readonly edges: Interval; readonly gapsOf: (strip: Strip<Item>) => readonly Interval[] },
): { at: number; gaps: Interval[] } {
  let gaps: readonly Interval[] = gapsAwayFromEdges(freeIntervals(strips[start]!.items, edges), edges);
  // A line across half of the page has white beside it: columns begin where both sides have text.
  if (gaps.length === 0 || strips[start]!.items.length < 2) {
    const beside = gapsOf(strips[start]!);
    if (beside.length === 0) return { at: start + 1, gaps: [] };
    gaps = beside;
  }
  if (gaps.length > MAX_GAPS) return { at: start + 1, gaps: [] };
  let at = start + 1;
  const window = Math.min(MAX_STRIPS, Math.ceil(MAX_LOOKED / strips.length));
  const last = Math.min(strips.length, start + window);
  for (; at < last; at++) {
    const next = intersectIntervals(gaps, gapsOf(strips[at]!));
    if (next.length === 0 || next.length > MAX_GAPS) break;
    gaps = next;
  }
  // White that nothing stands beside parts nothing.
  const all = strips.slice(start, at).flatMap((strip) => strip.items);
  const within = gapsAwayFromEdges(gaps, edges).filter(
    ([from, to]) => all.some(({ x1 }) => x1 <= from + 1) && all.some(({ x0 }) => x0 >= to - 1),
  );
  return { at: trimColumnsEnd(strips, start, at, within), gaps: within };
}

/** White within and beside a strip, cut to where columns may part. */
function columnGapsOf(items: readonly Rect[], edges: Interval): Interval[] {
  const margin = MIN_COLUMN_WIDTH_SHARE * (edges[1] - edges[0]);
  return intersectIntervals(freeIntervals(items, edges), [[edges[0] + margin, edges[1] - margin]]);
}

/** Strips at the end that stand on the left alone, away from the column above them, begin what follows. */
function trimColumnsEnd<Item extends Placed>(
  strips: readonly Strip<Item>[],
  start: number,
  end: number,
  gaps: readonly Interval[],
): number {
  const [gap] = gaps;
  if (gap === undefined || end >= strips.length) return end;
  let at = end;
  while (at > start + 2 && strips[at - 1]!.items.every(({ x1 }) => x1 <= gap[0] + 1)) {
    const [above, below] = [strips[at - 2]!, strips[at - 1]!];
    const size = below.items[0]?.size ?? heightOf(below.items[0]!);
    at--;
    if (below.y0 - above.y1 > 0.9 * size) return at;
    if (end - at > 2) break;
  }
  return end;
}
