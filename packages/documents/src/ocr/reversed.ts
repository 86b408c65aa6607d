import type { GreyImage, PixelRect } from './grey.ts';
import { componentsOf } from './ink.ts';

// Light letters in a box of colour: they are turned into dark letters on paper.

/** Share of a box that its colour fills, at least and at most; the rest is letters. */
const MIN_FILL_SHARE = 0.55;
const MAX_FILL_SHARE = 0.97;
/** Least size of a box, in letter heights. */
const MIN_BOX_HEIGHT_LETTERS = 0.9;
const MIN_BOX_WIDTH_LETTERS = 2;
/** The grey of a box is at most this share of that of the paper. */
const MAX_BOX_TO_PAPER_RATIO = 0.86;
/** Boxes are looked for in a picture that is smaller by this factor. */
const DOWNSAMPLING_FACTOR = 2;

/** Grey of the paper: the 90th percentile of the pixels. */
function paperOf(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += 7) counts[data[at]!]!++;
  let left = data.length / 7 / 10;
  for (let value = 255; value > 0; value--) if ((left -= counts[value]!) <= 0) return value;
  return 0;
}

/** Boxes of colour with something lighter in them; `letter` is the height of letters in pixels. */
function colouredBoxes({ width, height, data }: GreyImage, letter: number): PixelRect[] {
  const darkest = paperOf(data) * MAX_BOX_TO_PAPER_RATIO;
  const [wide, high] = [Math.floor(width / DOWNSAMPLING_FACTOR), Math.floor(height / DOWNSAMPLING_FACTOR)];
  const colour = new Uint8Array(wide * high);
  for (let y = 0, to = 0; y < high; y++)
    for (let x = 0, at = y * DOWNSAMPLING_FACTOR * width; x < wide; x++, at += DOWNSAMPLING_FACTOR, to++)
      colour[to] = data[at]! < darkest ? 1 : 0;
  return componentsOf({ width: wide, height: high, data: colour })
    .filter(({ x0, y0, x1, y1, area }) => {
      const [across, down] = [x1 - x0, y1 - y0];
      const filled = area / (across * down);
      return (
        down * DOWNSAMPLING_FACTOR >= MIN_BOX_HEIGHT_LETTERS * letter &&
        across * DOWNSAMPLING_FACTOR >= MIN_BOX_WIDTH_LETTERS * letter &&
        filled >= MIN_FILL_SHARE &&
        filled <= MAX_FILL_SHARE
      );
    })
    .map(({ x0, y0, x1, y1 }) => ({
      x0: x0 * DOWNSAMPLING_FACTOR,
      y0: y0 * DOWNSAMPLING_FACTOR,
      x1: x1 * DOWNSAMPLING_FACTOR,
      y1: y1 * DOWNSAMPLING_FACTOR,
    }));
}

function invertBox({ width, height, data }: GreyImage, { x0, y0, x1, y1 }: PixelRect): void {
  const values: number[] = [];
  let light = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0, at = y * width + x0; x < x1; x++, at++) {
      light = Math.max(light, data[at]!);
      if (at % 5 === 0) values.push(data[at]!);
    }
  // Most of the box is its colour.
  const colour = values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  const span = Math.max(1, light - colour);
  // In the smaller picture a box may begin behind its first row and column, and end before its last.
  const [top, left] = [Math.max(0, y0 - DOWNSAMPLING_FACTOR + 1), Math.max(0, x0 - DOWNSAMPLING_FACTOR + 1)];
  for (let y = top; y < Math.min(y1 + DOWNSAMPLING_FACTOR, height); y++)
    for (let x = left, at = y * width + left; x < Math.min(x1 + DOWNSAMPLING_FACTOR, width); x++, at++) {
      // Its edges are seen as lines otherwise.
      const inner =
        x >= x0 + DOWNSAMPLING_FACTOR &&
        x < x1 - DOWNSAMPLING_FACTOR &&
        y >= y0 + DOWNSAMPLING_FACTOR &&
        y < y1 - DOWNSAMPLING_FACTOR;
      data[at] = inner ? 255 - Math.max(0, Math.min(255, ((data[at]! - colour) * 255) / span)) : 255;
    }
}

/** Turns light letters in boxes into dark ones; the picture is changed. Whether there were any. */
export function invertBoxes(image: GreyImage, letter: number): boolean {
  const boxes = colouredBoxes(image, letter);
  for (const box of boxes) invertBox(image, box);
  return boxes.length > 0;
}
