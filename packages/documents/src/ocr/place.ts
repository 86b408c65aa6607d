import { type Rect, turnedOnPage } from '../readers/pdf/geometry.ts';
import type { PixelRect } from './grey.ts';
import { leaningRect } from './skew.ts';

/** A place of the picture in points. */
export const inPoints = ({ x0, y0, x1, y1 }: PixelRect, perPoint: number): Rect => ({
  x0: x0 / perPoint,
  y0: y0 / perPoint,
  x1: x1 / perPoint,
  y1: y1 / perPoint,
});

/** How a page was given, against how it was read: upright and straight. */
export interface Lie {
  /** By which its lines fell towards the right. */
  readonly degrees: number;
  /** By which it was turned to the right. */
  readonly quarters: number;
  /** Of the upright page, in points. */
  readonly width: number;
  readonly height: number;
}

/** Where a place of the upright page is on the page as it was given: what holds it there. */
export function placeAsGiven(rect: Rect, { degrees, quarters, ...upright }: Lie): Rect {
  const leaning = leaningRect(rect, upright, degrees);
  const onPage = {
    x0: Math.max(0, leaning.x0),
    y0: Math.max(0, leaning.y0),
    x1: Math.min(upright.width, leaning.x1),
    y1: Math.min(upright.height, leaning.y1),
  };
  return turnedOnPage(onPage, upright, -quarters);
}
