import type { Box } from '../../document.ts';

/** Points of a page as it is shown, from its upper left corner; y grows downwards. */
export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export const widthOf = (rect: Rect): number => rect.x1 - rect.x0;
export const heightOf = (rect: Rect): number => rect.y1 - rect.y0;

/** The smallest rectangle around all of them. Without recursion or spreading, as there may be many. */
export function boundingRect(rects: Iterable<Rect>): Rect {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const rect of rects) {
    x0 = Math.min(x0, rect.x0);
    y0 = Math.min(y0, rect.y0);
    x1 = Math.max(x1, rect.x1);
    y1 = Math.max(y1, rect.y1);
  }
  return x0 > x1 ? { x0: 0, y0: 0, x1: 0, y1: 0 } : { x0, y0, x1, y1 };
}

/** True when the middle of a rectangle lies in another. */
export function isCentredIn(inner: Rect, outer: Rect, slack = 0): boolean {
  const x = (inner.x0 + inner.x1) / 2;
  const y = (inner.y0 + inner.y1) / 2;
  return x >= outer.x0 - slack && x <= outer.x1 + slack && y >= outer.y0 - slack && y <= outer.y1 + slack;
}

/** Length that two stretches share; below zero the gap between them. */
export const overlapLength = (a0: number, a1: number, b0: number, b1: number): number =>
  Math.min(a1, b1) - Math.max(a0, b0);

const rounded = (value: number) => Math.round(value * 10) / 10;

/** A rectangle as the document model has it, to a tenth of a point. */
export const boxOf = (rect: Rect): Box => ({
  x: rounded(rect.x0),
  y: rounded(rect.y0),
  width: rounded(widthOf(rect)),
  height: rounded(heightOf(rect)),
});

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** `[a b c d e f]` of PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export const multiplyMatrices = (inner: Matrix, outer: Matrix): Matrix => [
  inner[0] * outer[0] + inner[1] * outer[2],
  inner[0] * outer[1] + inner[1] * outer[3],
  inner[2] * outer[0] + inner[3] * outer[2],
  inner[2] * outer[1] + inner[3] * outer[3],
  inner[4] * outer[0] + inner[5] * outer[2] + outer[4],
  inner[4] * outer[1] + inner[5] * outer[3] + outer[5],
];

/** How a page is turned and cut: from its own coordinates to those of a page as it is shown. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  place(x: number, y: number): readonly [x: number, y: number];
}

/** `quarter` turns clockwise (0 to 3) of a page whose visible part is given in its own coordinates. */
export function frameOf(visible: { left: number; bottom: number; right: number; top: number }, quarter: number): Frame {
  const { left, bottom, right, top } = visible;
  const [width, height] = [right - left, top - bottom];
  switch (((quarter % 4) + 4) % 4) {
    case 1:
      return { width: height, height: width, place: (x, y) => [y - bottom, x - left] };
    case 2:
      return { width, height, place: (x, y) => [right - x, y - bottom] };
    case 3:
      return { width: height, height: width, place: (x, y) => [top - y, right - x] };
    default:
      return { width, height, place: (x, y) => [x - left, top - y] };
  }
}

/** The rectangle between two corners, wherever they come to lie. */
export function rectInFrame(frame: Frame, x0: number, y0: number, x1: number, y1: number): Rect {
  const [ax, ay] = frame.place(x0, y0);
  const [bx, by] = frame.place(x1, y1);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}

/** A place on a page as it is once the page is turned clockwise by so many quarters; the size is that before. */
export function turnedOnPage(
  { x0, y0, x1, y1 }: Rect,
  { width, height }: { readonly width: number; readonly height: number },
  quarters: number,
): Rect {
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { x0: height - y1, y0: x0, x1: height - y0, y1: x1 };
    case 2:
      return { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 };
    case 3:
      return { x0: y0, y0: width - x1, x1: y1, y1: width - x0 };
    default:
      return { x0, y0, x1, y1 };
  }
}
