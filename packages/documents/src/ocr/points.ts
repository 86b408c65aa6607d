import type { Component } from './ink.ts';
import type { Letter, RecognisedLine } from './recognise.ts';

// Where figures are set close together, the recogniser leaves out the point between them: 35.4 becomes 354.

/** A point is about as wide as high, stands on the line of the figures, and is as large as this, in heights of them. */
const MIN_POINT_HEIGHTS = 0.08;
const MAX_POINT_HEIGHTS = 0.25;
const MAX_ASPECT_RATIO = 1.4;
const MAX_OFF_LINE_HEIGHTS = 0.12;
/** Share of its box that is ink; dirt is ragged. */
const MIN_INK_SHARE = 0.7;

const figure = /^\p{Nd}$/u;

/** Whether it has the shape of a point, of whatever size. */
function isSpeck({ x0, y0, x1, y1, area }: Component): boolean {
  const [wide, high] = [x1 - x0, y1 - y0];
  return Math.max(wide, high) <= MAX_ASPECT_RATIO * Math.min(wide, high) && area >= MIN_INK_SHARE * wide * high;
}

const isPointOf = ({ x0, y0, x1, y1 }: Component, height: number, base: number): boolean =>
  Math.min(x1 - x0, y1 - y0) >= MIN_POINT_HEIGHTS * height &&
  Math.max(x1 - x0, y1 - y0) <= MAX_POINT_HEIGHTS * height &&
  Math.abs(y1 - base) <= MAX_OFF_LINE_HEIGHTS * height;

const middleOf = ({ x0, x1 }: { readonly x0: number; readonly x1: number }) => (x0 + x1) / 2;

/** The point between two figures that stand beside each other; null where there is none. */
function pointBetween(before: Letter, next: Letter, specks: readonly Component[]): Letter | null {
  if (!figure.test(before.text) || !figure.test(next.text) || next.spaced) return null;
  const height = Math.max(before.y1 - before.y0, next.y1 - next.y0);
  const base = Math.max(before.y1, next.y1);
  const found = specks.find(
    (one) =>
      middleOf(one) > middleOf(before) &&
      middleOf(one) < middleOf(next) &&
      one.y0 > before.y0 &&
      isPointOf(one, height, base),
  );
  if (found === undefined) return null;
  const { x0, y0, x1, y1 } = found;
  return { x0, y0, x1, y1, text: '.', confidence: Math.min(before.confidence, next.confidence), spaced: false };
}

/** Lines with the points between figures that were left out. */
export function withPoints(lines: readonly RecognisedLine[], components: readonly Component[]): RecognisedLine[] {
  const specks = components.filter(isSpeck);
  return lines.map((line) => {
    const near = specks.filter(
      ({ x0, y0, x1, y1 }) => x0 >= line.x0 && x1 <= line.x1 && y0 >= line.y0 && y1 <= line.y1 + 2,
    );
    const letters = line.letters.flatMap((letter, at) => {
      const before = line.letters[at - 1];
      const point = before === undefined ? null : pointBetween(before, letter, near);
      return point === null ? [letter] : [point, letter];
    });
    return letters.length === line.letters.length ? line : { ...line, letters };
  });
}
