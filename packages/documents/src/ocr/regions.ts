import type { PixelRect } from './grey.ts';
import type { Component } from './ink.ts';
import type { DrawnLines } from './rules.ts';

// Layout analysis by recursive XY cuts: the ink of a page is cut along the white between it, until what is left is a line, or lines
// that touch. Reading order is not decided here.

/** A place with text. */
export interface Region extends PixelRect {
  /** More than one line may be in it. */
  readonly several: boolean;
  /** Letters of one word that are set far apart, from left to right. */
  readonly letters?: readonly PixelRect[];
}

/** Least white between stretches of one line, and between columns of several lines, in letter heights. */
const MIN_STRETCH_GAP_LETTERS = 1.3;
const MIN_GUTTER_LETTERS = 0.8;
/** Strips as low and as near as this, in letter heights, are dots and accents of the line next to them. */
const MAX_ACCENT_HEIGHT_LETTERS = 0.45;
const MAX_ACCENT_GAP_LETTERS = 0.4;
/** Parts of a letter that stands alone, such as the consonant below a vowel, in letter heights. */
const MAX_PART_HEIGHT_LETTERS = 0.6;
/** Regions higher than this, in letter heights, hold several lines. */
const MAX_LINE_HEIGHT_LETTERS = 1.75;
/** Sideways text is narrow and high, and its letters are near to each other; in letter heights. */
const MAX_SIDEWAYS_WIDTH_LETTERS = 2.2;
const MIN_SIDEWAYS_HEIGHT_LETTERS = 5;
const MAX_SIDEWAYS_GAP_LETTERS = 0.25;
/** Letters of one word that are set apart, as in `구        분`: their sizes, and the white between two of them at most, in letter heights. */
const MIN_LONE_LETTER_LETTERS = 0.6;
const MAX_LONE_LETTER_LETTERS = 1.4;
const MAX_LONE_GAP_LETTERS = 8;
/** Such letters stand in one row where they share this much of their heights. */
const MIN_ROW_OVERLAP_SHARE = 0.6;
/** Nesting of cuts. */
const MAX_CUT_DEPTH = 24;

type Box = PixelRect;

function boundingRect(boxes: readonly Box[]): PixelRect {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    x0 = Math.min(x0, box.x0);
    y0 = Math.min(y0, box.y0);
    x1 = Math.max(x1, box.x1);
    y1 = Math.max(y1, box.y1);
  }
  return { x0, y0, x1, y1 };
}

interface Strip {
  readonly boxes: Box[];
  y0: number;
  y1: number;
}

const height = ({ y0, y1 }: { readonly y0: number; readonly y1: number }) => y1 - y0;

/** Strips with white between them, those of dots and accents put to their lines. */
function linesBelowEachOther(boxes: readonly Box[], letter: number, across: readonly PixelRect[]): Box[][] {
  const found: Strip[] = [];
  for (const box of boxes.toSorted((a, b) => a.y0 - b.y0)) {
    const last = found.at(-1);
    if (last !== undefined && box.y0 < last.y1 + 1) {
      last.boxes.push(box);
      last.y1 = Math.max(last.y1, box.y1);
    } else found.push({ boxes: [box], y0: box.y0, y1: box.y1 });
  }
  const { x0, x1 } = boundingRect(boxes);
  const ruled = (from: number, to: number) =>
    across.some((rule) => rule.y0 >= from - 2 && rule.y1 <= to + 2 && rule.x0 < x1 && rule.x1 > x0);
  const isLone = x1 - x0 <= MAX_LONE_LETTER_LETTERS * letter;
  const joined: Strip[] = [];
  for (const strip of found) {
    const last = joined.at(-1);
    const low = Math.min(height(strip), last === undefined ? Infinity : height(last));
    // Where a letter stands alone, nothing else is beside the white between its parts.
    const part = isLone ? MAX_PART_HEIGHT_LETTERS : MAX_ACCENT_HEIGHT_LETTERS;
    if (
      last !== undefined &&
      strip.y0 - last.y1 < MAX_ACCENT_GAP_LETTERS * letter &&
      low < part * letter &&
      strip.y1 - last.y0 < MAX_LONE_LETTER_LETTERS * letter &&
      !ruled(last.y1, strip.y0)
    ) {
      last.boxes.push(...strip.boxes);
      last.y1 = Math.max(last.y1, strip.y1);
    } else joined.push(strip);
  }
  return joined.map((strip) => strip.boxes);
}

/** Stretches with so much white between them, or a line that is drawn. */
function partsBesideEachOther(boxes: readonly Box[], gap: number, down: readonly PixelRect[]): Box[][] {
  const { y0, y1 } = boundingRect(boxes);
  const near = down.filter((line) => Math.min(line.y1, y1) - Math.max(line.y0, y0) > 0.5 * (y1 - y0));
  const found: Box[][] = [];
  let end = -Infinity;
  for (const box of boxes.toSorted((a, b) => a.x0 - b.x0)) {
    const parted =
      box.x0 - end >= gap || near.some((line) => (line.x0 + line.x1) / 2 > end && (line.x0 + line.x1) / 2 < box.x0);
    if (found.length === 0 || parted) found.push([box]);
    else found.at(-1)!.push(box);
    end = Math.max(end, box.x1);
  }
  return found;
}

/** True when letters stand on their side, and are no lines below each other. */
function onItsSide(boxes: readonly Box[], { x0, y0, x1, y1 }: PixelRect, letter: number): boolean {
  if (x1 - x0 > MAX_SIDEWAYS_WIDTH_LETTERS * letter || y1 - y0 < MIN_SIDEWAYS_HEIGHT_LETTERS * letter) return false;
  const gaps: number[] = [];
  let end = y0;
  for (const box of boxes.toSorted((a, b) => a.y0 - b.y0)) {
    if (box.y0 > end) gaps.push(box.y0 - end);
    end = Math.max(end, box.y1);
  }
  gaps.sort((a, b) => a - b);
  return gaps.length > 0 && gaps[gaps.length >> 1]! < MAX_SIDEWAYS_GAP_LETTERS * letter;
}

export interface Regions {
  readonly regions: readonly Region[];
  /** The share of its ink that stands on its side, 0 to 1. */
  readonly aside: number;
}

/** Cuts the ink of a page into places with text that is upright; `letter` is the height of its letters. */
export function regionsOf(components: readonly Component[], { across, down }: DrawnLines, letter: number): Regions {
  const regions: Region[] = [];
  let aside = 0;
  const open: { boxes: readonly Box[]; depth: number; along: boolean; settled: boolean }[] = [
    { boxes: components, depth: 0, along: false, settled: false },
  ];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { boxes, depth, along, settled } = part;
    if (boxes.length === 0) continue;
    const rect = boundingRect(boxes);
    if (onItsSide(boxes, rect, letter)) {
      aside += boxes.length;
      continue;
    }
    const several = height(rect) > MAX_LINE_HEIGHT_LETTERS * letter;
    const parts =
      depth > MAX_CUT_DEPTH
        ? [boxes]
        : along
          ? linesBelowEachOther(boxes, letter, across)
          : partsBesideEachOther(boxes, (several ? MIN_GUTTER_LETTERS : MIN_STRETCH_GAP_LETTERS) * letter, down);
    if (parts.length === 1 && (settled || depth > MAX_CUT_DEPTH)) regions.push({ ...rect, several });
    else
      for (const one of parts) open.push({ boxes: one, depth: depth + 1, along: !along, settled: parts.length === 1 });
  }
  return { regions, aside: aside / Math.max(1, components.length) };
}

const isLoneLetter = ({ x0, x1, y0, y1, several }: Region, letter: number): boolean =>
  !several &&
  [x1 - x0, y1 - y0].every(
    (size) => size >= MIN_LONE_LETTER_LETTERS * letter && size <= MAX_LONE_LETTER_LETTERS * letter,
  );

/** Whether two stand in one row with white between them, and no line that is drawn. */
function follows(before: PixelRect, next: PixelRect, down: readonly PixelRect[], letter: number): boolean {
  const gap = next.x0 - before.x1;
  const shared = Math.min(before.y1, next.y1) - Math.max(before.y0, next.y0);
  if (gap < 0 || gap > MAX_LONE_GAP_LETTERS * letter) return false;
  if (shared < MIN_ROW_OVERLAP_SHARE * Math.min(height(before), height(next))) return false;
  return !down.some(
    (line) => line.x0 >= before.x1 - 2 && line.x1 <= next.x0 + 2 && line.y0 < next.y1 && line.y1 > next.y0,
  );
}

/**
 * Regions in which letters that are set apart are one place, as the recogniser knows words and hardly a letter by itself. A row in which
 * anything else stands is left as it is.
 */
export function joinedLetters(regions: readonly Region[], { down }: DrawnLines, letter: number): Region[] {
  const joined: Region[] = [];
  const lone = new Set(regions.filter((region) => isLoneLetter(region, letter)));
  const open = new Set(lone);
  for (const first of [...lone].toSorted((a, b) => a.x0 - b.x0)) {
    if (!open.delete(first)) continue;
    const letters: PixelRect[] = [first];
    for (;;) {
      const last = letters.at(-1)!;
      const next = regions
        .filter((region) => region !== last && follows(last, region, down, letter))
        .toSorted((a, b) => a.x0 - b.x0)[0];
      if (next === undefined || !open.delete(next)) break;
      letters.push(next);
    }
    joined.push(letters.length === 1 ? first : { ...boundingRect(letters), several: false, letters });
  }
  return [...regions.filter((region) => !lone.has(region)), ...joined];
}
