import type { GreyImage, PixelRect } from './grey.ts';
import { componentsOf } from './ink.ts';

// Light letters in a box of colour: they are turned into dark letters on paper.

/** A box is filled so far, and so far at most: the rest is letters. */
const FILLED = 0.55;
const SOLID = 0.97;
/** It is so high and so wide, in heights of letters. */
const HIGH = 0.9;
const WIDE = 2;
/** Colour is so much darker than paper. */
const COLOURED = 0.86;
/** Boxes are looked for in a picture so many times smaller. */
const COARSE = 2;

/** How light the paper is: what nine of ten pixels do not exceed. */
function paperOf(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += 7) counts[data[at]!]!++;
  let left = data.length / 7 / 10;
  for (let value = 255; value > 0; value--) if ((left -= counts[value]!) <= 0) return value;
  return 0;
}

/** Boxes of colour with something lighter in them; `letter` is the height of letters in pixels. */
function colouredBoxes({ width, height, data }: GreyImage, letter: number): PixelRect[] {
  const darkest = paperOf(data) * COLOURED;
  const [wide, high] = [Math.floor(width / COARSE), Math.floor(height / COARSE)];
  const colour = new Uint8Array(wide * high);
  for (let y = 0, to = 0; y < high; y++)
    for (let x = 0, at = y * COARSE * width; x < wide; x++, at += COARSE, to++)
      colour[to] = data[at]! < darkest ? 1 : 0;
  return componentsOf({ width: wide, height: high, data: colour })
    .filter(({ x0, y0, x1, y1, area }) => {
      const [across, down] = [x1 - x0, y1 - y0];
      const filled = area / (across * down);
      return down * COARSE >= HIGH * letter && across * COARSE >= WIDE * letter && filled >= FILLED && filled <= SOLID;
    })
    .map(({ x0, y0, x1, y1 }) => ({ x0: x0 * COARSE, y0: y0 * COARSE, x1: x1 * COARSE, y1: y1 * COARSE }));
}

function reverse({ width, height, data }: GreyImage, { x0, y0, x1, y1 }: PixelRect): void {
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
  for (let y = y0; y < Math.min(y1 + COARSE, height); y++)
    for (let x = x0, at = y * width + x0; x < Math.min(x1 + COARSE, width); x++, at++) {
      // Its edges are seen as lines otherwise.
      const inner = x >= x0 + COARSE && x < x1 - COARSE && y >= y0 + COARSE && y < y1 - COARSE;
      data[at] = inner ? 255 - Math.max(0, Math.min(255, ((data[at]! - colour) * 255) / span)) : 255;
    }
}

/** Turns light letters in boxes into dark ones; the picture is changed. Whether there were any. */
export function reverseBoxes(image: GreyImage, letter: number): boolean {
  const boxes = colouredBoxes(image, letter);
  for (const box of boxes) reverse(image, box);
  return boxes.length > 0;
}
