import type { PixelRect } from './grey.ts';
import type { Component } from './ink.ts';

/** Places higher than this, in letter heights, are looked at: text as high has white between its lines. */
const MIN_DRAWING_HEIGHT_LETTERS = 10;
/** Rows to each side, in letter heights, with whose mean a row of pixels is compared. */
const WINDOW_LETTERS = 1.5;
/**
 * Mean difference of the ink of a row from that of the rows around it, against that ink: pages of text have .9 and more, a dithered
 * drawing .05. Columns whose lines stand at different heights are between.
 */
const MIN_TEXT_VARIATION = 0.25;

/** How much the ink of rows of pixels varies from row to row within a place; 0 for the same everywhere. */
export function rowVariation(components: readonly Component[], place: PixelRect, letter: number): number {
  const height = place.y1 - place.y0;
  const rows = new Float64Array(height);
  for (const { x0, x1, y0, y1, area } of components) {
    if (x0 < place.x0 || x1 > place.x1 || y0 < place.y0 || y1 > place.y1) continue;
    for (let y = y0; y < y1; y++) rows[y - place.y0]! += area / (y1 - y0);
  }
  const sums = new Float64Array(height + 1);
  for (let y = 0; y < height; y++) sums[y + 1] = sums[y]! + rows[y]!;
  const reach = Math.round(WINDOW_LETTERS * letter);
  let [difference, total] = [0, 0];
  for (let y = 0; y < height; y++) {
    const [from, to] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
    const mean = (sums[to]! - sums[from]!) / (to - from);
    difference += Math.abs(rows[y]! - mean);
    total += mean;
  }
  return total === 0 ? 0 : difference / total;
}

/** True for a place without lines of text: to read it takes minutes, and nothing comes of it. */
export const isDrawing = (place: PixelRect, components: readonly Component[], letter: number): boolean =>
  place.y1 - place.y0 > MIN_DRAWING_HEIGHT_LETTERS * letter &&
  rowVariation(components, place, letter) < MIN_TEXT_VARIATION;
