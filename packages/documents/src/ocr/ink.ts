import { DisjointSets } from '../disjoint-sets.ts';
import type { GreyImage, PixelRect } from './grey.ts';

/** A binarised picture: 1 where there is ink, 0 elsewhere. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Ink has at most this share of the mean grey around it, and differs from it by at least the contrast below. */
const MAX_INK_TO_MEAN_RATIO = 0.8;
const MIN_CONTRAST_GREY = 18;
/** Where the mean around a pixel is darker than this, light letters are ink. */
const DARK_BACKGROUND_GREY = 110;

/**
 * Ink, as each pixel differs from the mean of the square around it, `radius` to each side: shadows and paper of any colour do not
 * matter, nor whether letters are dark or light.
 */
export function inkOf({ width, height, data }: GreyImage, radius: number): Ink {
  const ink = new Uint8Array(width * height);
  /** Sum of each column over the rows of the square. */
  const columns = new Uint32Array(width);
  let [top, bottom] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (const until = Math.min(height, y + radius + 1); bottom < until; bottom++)
      for (let x = 0, at = bottom * width; x < width; x++, at++) columns[x]! += data[at]!;
    for (const from = Math.max(0, y - radius); top < from; top++)
      for (let x = 0, at = top * width; x < width; x++, at++) columns[x]! -= data[at]!;
    let [sum, left, right] = [0, 0, 0];
    for (let x = 0, at = y * width; x < width; x++, at++) {
      for (const until = Math.min(width, x + radius + 1); right < until; right++) sum += columns[right]!;
      for (const from = Math.max(0, x - radius); left < from; left++) sum -= columns[left]!;
      const mean = sum / ((right - left) * (bottom - top));
      const value = data[at]!;
      if (value < mean * MAX_INK_TO_MEAN_RATIO && mean - value > MIN_CONTRAST_GREY) ink[at] = 1;
      else if (mean < DARK_BACKGROUND_GREY && value - mean > Math.max(40, mean / 2)) ink[at] = 1;
    }
  }
  return { width, height, data: ink };
}

/** A connected component of ink. */
export interface Component extends PixelRect {
  /** Pixels of ink. */
  readonly area: number;
}

/** More runs than this on a page are noise or a picture. */
const MAX_RUNS = 4_000_000;

class GrowingInt32Array {
  #values = new Int32Array(65_536);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length++] = value;
  }
  get values(): Int32Array {
    return this.#values;
  }
}

/** Connected components of ink, by 8-connectivity (corners touch). */
export function componentsOf({ width, height, data }: Ink): Component[] {
  const [starts, ends, rows] = [new GrowingInt32Array(), new GrowingInt32Array(), new GrowingInt32Array()];
  const sets = new DisjointSets();
  let above = 0;
  for (let y = 0; y < height && starts.length < MAX_RUNS; y++) {
    const first = starts.length;
    const row = data.subarray(y * width, (y + 1) * width);
    for (let from = row.indexOf(1), to = 0; from !== -1; from = row.indexOf(1, to)) {
      to = row.indexOf(0, from);
      if (to === -1) to = width;
      starts.push(from);
      ends.push(to);
      rows.push(y);
      sets.add();
    }
    let [one, other] = [above, first];
    while (one < first && other < starts.length) {
      const [from, to] = [starts.values[one]!, ends.values[one]!];
      const [nextFrom, nextTo] = [starts.values[other]!, ends.values[other]!];
      if (from <= nextTo && nextFrom <= to) sets.join(other, one);
      if (to < nextTo) one++;
      else other++;
    }
    above = first;
  }
  return boxesOf({ starts: starts.values, ends: ends.values, rows: rows.values, count: starts.length, sets });
}

interface Runs {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly rows: Int32Array;
  readonly count: number;
  readonly sets: DisjointSets;
}

function boxesOf({ starts, ends, rows, count, sets }: Runs): Component[] {
  const found = new Map<number, { x0: number; y0: number; x1: number; y1: number; area: number }>();
  for (let at = 0; at < count; at++) {
    const root = sets.find(at);
    const [x0, x1, y] = [starts[at]!, ends[at]!, rows[at]!];
    const box = found.get(root);
    if (box === undefined) found.set(root, { x0, x1, y0: y, y1: y + 1, area: x1 - x0 });
    else {
      box.x0 = Math.min(box.x0, x0);
      box.x1 = Math.max(box.x1, x1);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y + 1);
      box.area += x1 - x0;
    }
  }
  return [...found.values()];
}

/**
 * Height of letters, in pixels: about the size of the type of most text; 0 where there is none. `most` is the height beyond which
 * nothing is a letter.
 */
export function letterHeight(components: readonly Component[], most: number): number {
  const heights: number[] = [];
  for (const { x0, y0, x1, y1, area } of components) {
    const [width, height] = [x1 - x0, y1 - y0];
    if (height >= 5 && height <= most && width >= 2 && width <= 3 * height && area >= 8) heights.push(height);
  }
  if (heights.length === 0) return 0;
  heights.sort((a, b) => a - b);
  return heights[Math.floor(heights.length * 0.75)]! / 0.8;
}
