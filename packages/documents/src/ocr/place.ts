import { type Rect, turnedOnPage } from '../readers/pdf/geometry.ts';
import type { GreyImage, PixelRect } from './grey.ts';
import type { Seen } from './prepare.ts';
import { leaningRect } from './skew.ts';

/** How a page was turned, and by how many pixels a point its places were measured before it was enlarged. */
export interface Turned {
  readonly image: GreyImage;
  /** To the right. */
  readonly quarters: number;
  readonly own: number;
}

/** A place of the picture in points. */
export const inPoints = ({ x0, y0, x1, y1 }: PixelRect, perPoint: number): Rect => ({
  x0: x0 / perPoint,
  y0: y0 / perPoint,
  x1: x1 / perPoint,
  y1: y1 / perPoint,
});

/** From a place of the text to that on the page as it was given, which may lean or lie on its side; undefined where they are the same. */
export function placedOn(
  { scale, skew, image: straight }: Seen,
  { image, quarters, own }: Turned,
): ((rect: Rect) => Rect) | undefined {
  if (skew === 0 && quarters === 0) return undefined;
  const perPoint = own * scale;
  const upright = { width: image.width / own, height: image.height / own };
  return (rect) => {
    const leaning = inPoints(leaningRect(inPoints(rect, 1 / perPoint), straight, skew), perPoint);
    const onPage = {
      x0: Math.max(0, leaning.x0),
      y0: Math.max(0, leaning.y0),
      x1: Math.min(upright.width, leaning.x1),
      y1: Math.min(upright.height, leaning.y1),
    };
    return turnedOnPage(onPage, upright, -quarters);
  };
}
