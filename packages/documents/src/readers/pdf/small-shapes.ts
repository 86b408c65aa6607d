import { type Rect, heightOf, widthOf } from './geometry.ts';

/** Boxes to tick are as large as letters. */
const MIN_BOX_POINTS = 4.5;
export const MAX_BOX_POINTS = 24;
const MAX_ASPECT_RATIO = 1.25;

/** A shape on the page that may be a box to tick, or the mark in one. */
export interface SmallShape extends Rect {
  readonly kind: 'square' | 'circle' | 'mark';
  /** Painted inside, in a colour that is not white. */
  readonly filled: boolean;
}

/** A filled shape that is no larger than a letter. */
export interface LetterShape extends Rect {
  /** A rectangle along the edges of the page. */
  readonly plain: boolean;
}

/** True for what is as large as a letter and about as high as wide. */
export const isBoxSized = (rect: Rect): boolean => {
  const [width, height] = [widthOf(rect), heightOf(rect)];
  if (Math.min(width, height) < MIN_BOX_POINTS || Math.max(width, height) > MAX_BOX_POINTS) return false;
  return Math.max(width, height) <= MAX_ASPECT_RATIO * Math.min(width, height);
};
