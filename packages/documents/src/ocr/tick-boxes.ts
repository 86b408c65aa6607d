import { type PixelRect, middleOf } from './grey.ts';
import type { Component } from './ink.ts';
import type { Seen } from './prepare.ts';
import type { DrawnLines } from './rules.ts';
import type { Square } from './squares.ts';

// Which squares on a page are boxes to tick. The same square is a bullet of Korean documents and a part of some letters: it is a box
// where it has a mark in it, where another one stands in its row, one with a mark in its column or a box right above or below it, or
// where it is alone in a cell.

/** Least white around a box, in sides of it: beside it, above and below. */
const MIN_GAP_BESIDE_SIDES = 0.1;
const MIN_GAP_ABOVE_SIDES = 0.12;
/** A narrow stroke as near as this and as high as this, in sides, is a vowel beside a consonant. */
const MAX_VOWEL_GAP_SIDES = 0.7;
const MIN_VOWEL_HEIGHT_SIDES = 1.4;
const MAX_VOWEL_WIDTH_SIDES = 0.7;
/** Boxes of one form differ in size by no more. */
const MAX_SIZE_DIFFERENCE_SHARE = 0.2;
/** How far empty boxes of one row may be from each other, in letter heights; further away are bullets of another column. */
const MAX_ROW_GAP_LETTERS = 16;
/** How far rows of boxes below each other may be apart, in letter heights. */
const MAX_ROW_PITCH_LETTERS = 2.5;
/** How far the left edges of boxes of one column may differ, in sides. */
const MAX_COLUMN_OFFSET_SIDES = 0.4;
/** A cell is larger than the box in it by this. */
const MIN_CELL_TO_BOX_RATIO = 1.3;

/** A bullet is at least so large, in letter heights, and stands so far from what is at its left, and so near to its words, in sides. */
const MIN_BULLET_LETTERS = 0.75;
const MIN_BULLET_INDENT_SIDES = 3;
const MAX_BULLET_GAP_SIDES = 1.6;

/** A box to tick, in pixels. */
export interface TickBox extends PixelRect {
  readonly checked: boolean;
  /** Nothing else stands in its cell. */
  readonly alone: boolean;
}

/** Less ink than this, as a share of the square of a side, is dirt. */
const MAX_DIRT_SHARE = 0.012;

const sideOf = ({ x0, x1, y0, y1 }: PixelRect) => Math.max(x1 - x0, y1 - y0);
const isDirt = ({ area }: Component, square: Square) => area <= MAX_DIRT_SHARE * sideOf(square) ** 2;
const shared = (a0: number, a1: number, b0: number, b1: number) => Math.min(a1, b1) - Math.max(a0, b0);

const isCentredIn = (inner: PixelRect, { x0, x1, y0, y1 }: PixelRect): boolean => {
  const [x, y] = [(inner.x0 + inner.x1) / 2, middleOf(inner)];
  return x > x0 && x < x1 && y > y0 && y < y1;
};

/** True where white is around a square, as around a sign of its own, and no vowel stands beside it. */
function isApart(square: Square, others: readonly Component[]): boolean {
  const side = sideOf(square);
  return others.every((other) => {
    const surrounds = other.x0 < square.x0 && other.x1 > square.x1 && other.y0 < square.y0 && other.y1 > square.y1;
    if (isDirt(other, square) || surrounds) return true;
    const beside = Math.max(other.x0 - square.x1, square.x0 - other.x1);
    const above = Math.max(other.y0 - square.y1, square.y0 - other.y1);
    if (shared(other.y0, other.y1, square.y0, square.y1) > 0.3 * Math.min(side, other.y1 - other.y0)) {
      const isVowel =
        other.y1 - other.y0 > MIN_VOWEL_HEIGHT_SIDES * side && other.x1 - other.x0 < MAX_VOWEL_WIDTH_SIDES * side;
      return beside >= (isVowel ? MAX_VOWEL_GAP_SIDES : MIN_GAP_BESIDE_SIDES) * side;
    }
    const below = shared(other.x0, other.x1, square.x0, square.x1) > 0.3 * Math.min(side, other.x1 - other.x0);
    return !below || above >= MIN_GAP_ABOVE_SIDES * side;
  });
}

/** What is near enough to a square to matter for it. */
function nearTo(square: Square, components: readonly Component[]): Component[] {
  const reach = sideOf(square);
  return components.filter(
    (one) =>
      one !== square.component &&
      one.x1 > square.x0 - reach &&
      one.x0 < square.x1 + reach &&
      one.y1 > square.y0 - reach &&
      one.y0 < square.y1 + reach &&
      !isCentredIn(one, square),
  );
}

/** The cell that lines draw around a square; null where there is none. */
function cellAround(square: Square, { across, down }: DrawnLines): PixelRect | null {
  const x = (square.x0 + square.x1) / 2;
  const y = middleOf(square);
  const lefts = down.filter((line) => line.y0 < y && line.y1 > y && line.x1 <= square.x0 + 1).map(({ x1 }) => x1);
  const rights = down.filter((line) => line.y0 < y && line.y1 > y && line.x0 >= square.x1 - 1).map(({ x0 }) => x0);
  const tops = across.filter((line) => line.x0 < x && line.x1 > x && line.y1 <= square.y0 + 1).map(({ y1 }) => y1);
  const lows = across.filter((line) => line.x0 < x && line.x1 > x && line.y0 >= square.y1 - 1).map(({ y0 }) => y0);
  if ([lefts, rights, tops, lows].some(({ length }) => length === 0)) return null;
  return { x0: Math.max(...lefts), x1: Math.min(...rights), y0: Math.max(...tops), y1: Math.min(...lows) };
}

function isAlone(square: Square, { components, lines }: Pick<Seen, 'components' | 'lines'>): boolean {
  const cell = cellAround(square, lines);
  return (
    cell !== null &&
    sideOf(cell) > MIN_CELL_TO_BOX_RATIO * sideOf(square) &&
    !components.some(
      (one) => one !== square.component && !isDirt(one, square) && isCentredIn(one, cell) && !isCentredIn(one, square),
    )
  );
}

const isAlike = (one: Square, other: Square) =>
  one !== other &&
  Math.abs(sideOf(one) - sideOf(other)) <= MAX_SIZE_DIFFERENCE_SHARE * Math.max(sideOf(one), sideOf(other));

const isInRow = (one: Square, other: Square, letter: number) =>
  Math.abs(middleOf(one) - middleOf(other)) < 0.5 * sideOf(one) &&
  (other.inside === 'mark' || -shared(one.x0, one.x1, other.x0, other.x1) < MAX_ROW_GAP_LETTERS * letter);

const isInColumn = (one: Square, other: Square) => Math.abs(one.x0 - other.x0) < MAX_COLUMN_OFFSET_SIDES * sideOf(one);

/** True where a square goes on a column of boxes: it stands right below or above one of them. */
const goesOn = (square: Square, boxes: ReadonlySet<Square>, letter: number): boolean =>
  [...boxes].some(
    (other) =>
      isAlike(square, other) &&
      isInColumn(square, other) &&
      Math.abs(middleOf(square) - middleOf(other)) <= MAX_ROW_PITCH_LETTERS * letter,
  );

/** True for a box to tick, by what stands around it. */
function isBox(square: Square, all: readonly Square[], letter: number): boolean {
  const alike = all.filter((other) => isAlike(square, other));
  const row = alike.filter((other) => isInRow(square, other, letter));
  switch (square.inside) {
    case 'mark':
      return true;
    case 'ink':
      return row.some(({ inside }) => inside !== 'ink');
    case 'nothing':
      return row.length > 0 || alike.some((other) => other.inside === 'mark' && isInColumn(square, other));
  }
}

/** True for an empty square that a line of words begins with. */
function isBullet(square: Square, { components, letter }: Pick<Seen, 'components' | 'letter'>): boolean {
  const side = sideOf(square);
  if (square.inside !== 'nothing' || side < MIN_BULLET_LETTERS * letter) return false;
  const level = components.filter(
    (one) =>
      one !== square.component && !isDirt(one, square) && shared(one.y0, one.y1, square.y0, square.y1) > 0.3 * side,
  );
  return (
    !level.some((one) => one.x0 < square.x0 && one.x1 > square.x0 - MIN_BULLET_INDENT_SIDES * side) &&
    level.some((one) => one.x0 >= square.x1 && one.x0 < square.x1 + MAX_BULLET_GAP_SIDES * side)
  );
}

/** The squares of a page that say something. */
export interface Signs {
  readonly boxes: readonly { readonly box: TickBox; readonly square: Square }[];
  /** Empty squares that lines begin with. */
  readonly bullets: readonly Square[];
}

/**
 * Boxes to tick and bullets among the squares of a page. `isLetter` says whether what stands in a square is a letter or a figure, so that
 * it is a number in a frame, or a letter itself.
 */
export function signsOf(
  squares: readonly Square[],
  seen: Pick<Seen, 'components' | 'lines' | 'letter'>,
  isLetter: (square: Square) => boolean,
): Signs {
  const free = squares.filter(
    (square) =>
      isApart(square, nearTo(square, seen.components)) &&
      !squares.some((other) => other !== square && isCentredIn(square, other)),
  );
  const signs = free.filter((square) => square.inside !== 'mark' || !isLetter(square));
  const alone = new Set(signs.filter((square) => square.inside !== 'ink' && isAlone(square, seen)));
  const boxes = new Set(signs.filter((square) => alone.has(square) || isBox(square, signs, seen.letter)));
  // Columns are followed down, then up.
  const ordered = signs.filter(({ inside }) => inside !== 'ink').toSorted((a, b) => a.y0 - b.y0);
  for (const square of [...ordered, ...ordered.toReversed()])
    if (!boxes.has(square) && goesOn(square, boxes, seen.letter)) boxes.add(square);
  return {
    boxes: [...boxes].map((square) => {
      const { x0, y0, x1, y1, inside } = square;
      return { square, box: { x0, y0, x1, y1, alone: alone.has(square), checked: inside !== 'nothing' } };
    }),
    bullets: signs.filter((square) => !boxes.has(square) && isBullet(square, seen)),
  };
}
