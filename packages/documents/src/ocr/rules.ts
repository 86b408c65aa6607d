import type { GreyImage, PixelRect } from './grey.ts';
import type { Ink } from './ink.ts';

// Lines that are drawn: of tables, below titles. They are found, and taken out of what is recognised, as letters beside them are
// taken for others.

export interface DrawnLines {
  readonly across: readonly PixelRect[];
  readonly down: readonly PixelRect[];
}

/** A stretch of ink along a row or a column. */
interface Stretch {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

const MAX_STRETCHES = 200_000;
/** Longest gap in the ink of a line. */
const MAX_INK_GAP_PX = 2;
/** Longest gap between parts of one skewed line in neighbouring rows. */
const MAX_SKEW_GAP_PX = 12;
const MAX_LINES = 2_000;
/** Least ratio of the length of a line to its thickness. */
const MIN_LENGTH_TO_THICKNESS = 8;

function stretchesAcross({ width, height, data }: Ink, least: number): Stretch[] {
  const found: Stretch[] = [];
  for (let y = 0; y < height && found.length < MAX_STRETCHES; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    let [from, last] = [-1, -1];
    for (let at = row.indexOf(1); at !== -1; at = row.indexOf(1, last)) {
      if (from === -1 || at - last > MAX_INK_GAP_PX) {
        if (from !== -1 && last - from >= least) found.push({ line: y, from, to: last });
        from = at;
      }
      last = row.indexOf(0, at);
      if (last === -1) last = width;
    }
    if (from !== -1 && last - from >= least) found.push({ line: y, from, to: last });
  }
  return found;
}

function stretchesDown({ width, height, data }: Ink, least: number): Stretch[] {
  const found: Stretch[] = [];
  /** Rows in which the ink of each column began and was last seen; -1 for none. */
  const begun = new Int32Array(width).fill(-1);
  const seen = new Int32Array(width).fill(-1);
  const end = (x: number) => {
    if (seen[x]! + 1 - begun[x]! >= least && found.length < MAX_STRETCHES)
      found.push({ line: x, from: begun[x]!, to: seen[x]! + 1 });
    begun[x] = -1;
  };
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (data[at] === 1) {
        if (begun[x] === -1) begun[x] = y;
        seen[x] = y;
      } else if (begun[x] !== -1 && y - seen[x]! > MAX_INK_GAP_PX) end(x);
    }
  for (let x = 0; x < width; x++) if (begun[x] !== -1) end(x);
  return found.toSorted((a, b) => a.line - b.line || a.from - b.from);
}

interface Joined {
  first: number;
  last: number;
  from: number;
  to: number;
}

/** Stretches in neighbouring rows are one line; what is thick is none. */
function linesOf(stretches: readonly Stretch[], thickest: number): Joined[] {
  const done: Joined[] = [];
  let open: Joined[] = [];
  for (const { line, from, to } of stretches) {
    const rest: Joined[] = [];
    let joined: Joined = { first: line, last: line, from, to };
    for (const one of open) {
      if (one.last < line - 1) done.push(one);
      else if (one.from <= joined.to + MAX_SKEW_GAP_PX && joined.from <= one.to + MAX_SKEW_GAP_PX)
        joined = {
          first: Math.min(one.first, joined.first),
          last: Math.max(one.last, joined.last),
          from: Math.min(one.from, joined.from),
          to: Math.max(one.to, joined.to),
        };
      else rest.push(one);
    }
    open = [...rest, joined];
  }
  return [...done, ...open].filter(({ first, last, from, to }) => {
    const thick = last + 1 - first;
    return thick <= thickest && to - from >= MIN_LENGTH_TO_THICKNESS * thick;
  });
}

/** Lines meet when the end of one is as near to the other as this. */
const MAX_JOIN_GAP_PX = 8;
/** Least length of a line that meets no other, in letter heights; strokes of large letters are shorter. */
const MIN_LONE_LINE_LENGTH_LETTERS = 5;

const touchesLine = (end: { readonly x: number; readonly y: number }, { x0, y0, x1, y1 }: PixelRect) =>
  end.x >= x0 - MAX_JOIN_GAP_PX &&
  end.x <= x1 + MAX_JOIN_GAP_PX &&
  end.y >= y0 - MAX_JOIN_GAP_PX &&
  end.y <= y1 + MAX_JOIN_GAP_PX;

/** Lines across and down; `letter` is the height of letters in pixels, which are shorter than lines. */
export function drawnLines(ink: Ink, letter: number): DrawnLines {
  const thickest = Math.max(6, letter * 0.4);
  const across = linesOf(stretchesAcross(ink, Math.max(40, letter * 2.5)), thickest)
    .map(({ first, last, from, to }): PixelRect => ({ x0: from, x1: to, y0: first, y1: last + 1 }))
    .slice(0, MAX_LINES);
  const down = linesOf(stretchesDown(ink, Math.max(30, letter * 1.7)), thickest)
    .map(({ first, last, from, to }): PixelRect => ({ x0: first, x1: last + 1, y0: from, y1: to }))
    .slice(0, MAX_LINES);
  const long = (length: number) => length >= MIN_LONE_LINE_LENGTH_LETTERS * letter;
  return {
    across: across.filter(
      ({ x0, x1, y0, y1 }) =>
        long(x1 - x0) || [x0, x1].every((x) => down.some((other) => touchesLine({ x, y: (y0 + y1) / 2 }, other))),
    ),
    down: down.filter(
      ({ x0, x1, y0, y1 }) =>
        long(y1 - y0) || [y0, y1].every((y) => across.some((other) => touchesLine({ x: (x0 + x1) / 2, y }, other))),
    ),
  };
}

/** Takes a line out of the ink and paints it over with what is beside it; letters that cross it keep their strokes. */
function eraseLine(ink: Ink, { width, height, data }: GreyImage, { x0, y0, x1, y1 }: PixelRect, along: boolean): void {
  const slack = 1;
  const [length, from] = along ? [x1 - x0, x0] : [y1 - y0, y0];
  const [first, last] = along ? [y0 - slack, y1 + slack] : [x0 - slack, x1 + slack];
  const most = along ? height : width;
  const place = (at: number, across: number) => (along ? across * width + at : at * width + across);
  for (let step = 0; step < length; step++) {
    const at = from + step;
    const [before, after] = [first - 2, last + 1];
    const outside = [before, after].filter((across) => across >= 0 && across < most);
    const crossed = outside.length === 2 && outside.every((across) => ink.data[place(at, across)] === 1);
    if (crossed) continue;
    let paper = 0;
    for (const across of outside) paper = Math.max(paper, data[place(at, across)]!);
    for (let across = Math.max(0, first); across < Math.min(most, last); across++) {
      ink.data[place(at, across)] = 0;
      data[place(at, across)] = outside.length === 0 ? 255 : paper;
    }
  }
}

/** Takes lines out of a page: the ink and the picture are changed. */
export function eraseLines(ink: Ink, image: GreyImage, { across, down }: DrawnLines): void {
  for (const line of across) eraseLine(ink, image, line, true);
  for (const line of down) eraseLine(ink, image, line, false);
}
