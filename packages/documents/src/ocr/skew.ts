import type { GreyImage, PixelRect } from './grey.ts';
import type { Ink } from './ink.ts';

/** Scans lean by some degrees at most; pages that lean more were turned on purpose. */
const MAX_SKEW_DEGREES = 4;
/** Less skew does no harm. */
const MIN_SKEW_DEGREES = 0.15;
/** Points of ink by which the skew is measured, at most. */
const MAX_SAMPLED_POINTS = 60_000;

/**
 * Contrast between rows of text and white, were the page turned by an angle (its tangent): the sum of squared differences of the
 * projection profile.
 */
function rowContrast(xs: Int32Array, ys: Int32Array, tangent: number, rows: Int32Array): number {
  rows.fill(0);
  const offset = rows.length >> 2;
  for (let at = 0; at < xs.length; at++) {
    const row = (ys[at]! - xs[at]! * tangent + offset) | 0;
    if (row >= 0 && row < rows.length) rows[row]!++;
  }
  let sum = 0;
  for (let at = 1; at < rows.length; at++) sum += (rows[at]! - rows[at - 1]!) ** 2;
  return sum;
}

/** By how many degrees the lines of a page fall towards the right; 0 where it is little. */
export function skewOf({ width, height, data }: Ink): number {
  const step = Math.max(2, Math.round(Math.max(width, height) / 1_000));
  const [allX, allY]: [number[], number[]] = [[], []];
  for (let y = 0; y < height; y += step)
    for (let x = (y / step) % 2, at = y * width + x; x < width; x += 2, at += 2)
      if (data[at] === 1) {
        allX.push(x / step);
        allY.push(y / step);
      }
  if (allX.length < 500) return 0;
  const every = Math.max(1, Math.floor(allX.length / MAX_SAMPLED_POINTS));
  const xs = Int32Array.from({ length: Math.floor(allX.length / every) }, (_, at) => allX[at * every]!);
  const ys = Int32Array.from({ length: xs.length }, (_, at) => allY[at * every]!);
  const rows = new Int32Array(Math.ceil((height / step) * 2));
  const best = (from: number, to: number, by: number): number => {
    let [found, most] = [0, -1];
    for (let degrees = from; degrees <= to + by / 2; degrees += by) {
      const value = rowContrast(xs, ys, Math.tan((degrees * Math.PI) / 180), rows);
      if (value > most) [found, most] = [degrees, value];
    }
    return found;
  };
  const rough = best(-MAX_SKEW_DEGREES, MAX_SKEW_DEGREES, 0.25);
  const degrees = best(rough - 0.2, rough + 0.2, 0.05);
  return Math.abs(degrees) < MIN_SKEW_DEGREES || Math.abs(degrees) >= MAX_SKEW_DEGREES ? 0 : degrees;
}

/** The picture turned back by so many degrees around its middle; what comes in at the corners is white. */
export function straightenedImage({ width, height, data }: GreyImage, degrees: number): GreyImage {
  const turned = new Uint8Array(width * height).fill(255);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [cx, cy] = [width / 2, height / 2];
  for (let y = 0, at = 0; y < height; y++) {
    let fromX = cx - cx * cos - (y - cy) * sin;
    let fromY = cy - cx * sin + (y - cy) * cos;
    for (let x = 0; x < width; x++, at++, fromX += cos, fromY += sin) {
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue;
      const [right, low] = [fromX - left, fromY - top];
      const place = top * width + left;
      const upper = data[place]! * (1 - right) + data[place + 1]! * right;
      const lower = data[place + width]! * (1 - right) + data[place + width + 1]! * right;
      turned[at] = upper * (1 - low) + lower * low;
    }
  }
  return { width, height, data: turned };
}

/** Where a place of a straightened picture of this size lies in the one that leaned by so many degrees: what holds it there. */
export function leaningRect(
  { x0, y0, x1, y1 }: PixelRect,
  { width, height }: Pick<GreyImage, 'width' | 'height'>,
  degrees: number,
): PixelRect {
  if (degrees === 0) return { x0, y0, x1, y1 };
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [cx, cy] = [width / 2, height / 2];
  const xs: number[] = [];
  const ys: number[] = [];
  for (const x of [x0, x1])
    for (const y of [y0, y1]) {
      xs.push(cx + (x - cx) * cos - (y - cy) * sin);
      ys.push(cy + (x - cx) * sin + (y - cy) * cos);
    }
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}
