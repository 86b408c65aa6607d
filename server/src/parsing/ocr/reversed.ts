import type { GreyImage } from './grey.ts';
import type { Component, Ink } from './ink.ts';

// Light letters in a box of colour: the box is what is taken for ink. It is turned into dark letters on paper.

/** A box is filled so far, and so far at most: the rest is letters. */
const FILLED = 0.5;
const SOLID = 0.97;
/** It is so high and so wide, in heights of letters. */
const HIGH = 0.9;
const WIDE = 2;

/** Boxes with letters in them; `letter` is the height of letters in pixels. */
export const colouredBoxes = (components: readonly Component[], letter: number): Component[] =>
  components.filter(({ x0, y0, x1, y1, area }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    const filled = area / (width * height);
    return height >= HIGH * letter && width >= WIDE * letter && filled >= FILLED && filled <= SOLID;
  });

/** Turns light letters in a box into dark ones. */
export function reverse({ width, data }: GreyImage, ink: Ink, { x0, y0, x1, y1 }: Component): void {
  let light = 0;
  let [paint, painted] = [0, 0];
  for (let y = y0; y < y1; y++)
    for (let x = x0, at = y * width + x0; x < x1; x++, at++) {
      const value = data[at]!;
      light = Math.max(light, value);
      if (ink.data[at] === 1) {
        paint += value;
        painted++;
      }
    }
  const colour = paint / Math.max(1, painted);
  const span = Math.max(1, light - colour);
  for (let y = y0; y < y1; y++)
    for (let x = x0, at = y * width + x0; x < x1; x++, at++)
      data[at] = 255 - Math.max(0, Math.min(255, ((data[at]! - colour) * 255) / span));
}
