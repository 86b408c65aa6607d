import { expect, test } from 'vitest';
import { type Ink, componentsOf } from './ink.ts';
import type { DrawnLines } from './rules.ts';
import { squaresOf } from './squares.ts';
import { type Signs, signsOf } from './tick-boxes.ts';

// Pages of ink, with letters 30 pixels high.

const LETTER = 30;
const none: DrawnLines = { across: [], down: [] };

class Sheet implements Ink {
  readonly width = 600;
  readonly height = 300;
  readonly data = new Uint8Array(600 * 300);

  fill(x: number, y: number, width: number, height: number): this {
    for (let row = y; row < y + height; row++) this.data.fill(1, row * this.width + x, row * this.width + x + width);
    return this;
  }
  square(x: number, y: number, side = LETTER, thick = 3): this {
    return this.fill(x, y, side, thick)
      .fill(x, y + side - thick, side, thick)
      .fill(x, y, thick, side)
      .fill(x + side - thick, y, thick, side);
  }
  /** A mark from a corner within to one outside. */
  tick(x: number, y: number, side = LETTER): this {
    for (let at = 6; at < side + 6; at++) this.fill(x + at, y + side - at, 4, 4);
    return this;
  }
  letter(x: number, y: number): this {
    return this.fill(x, y, 20, 5).fill(x + 8, y, 5, LETTER);
  }
}

function signs(sheet: Sheet, { lines = none, isLetter = false } = {}): Signs {
  const components = componentsOf(sheet);
  const seen = { components, lines, letter: LETTER };
  return signsOf(squaresOf(sheet, components, LETTER), seen, () => isLetter);
}

const found = (sheet: Sheet, how: Parameters<typeof signs>[1] = {}) =>
  signs(sheet, how).boxes.map(({ box }) => [box.x0, box.y0, box.checked] as const);

test('a mark makes a box of a square, and of those in its row and its column', () => {
  const sheet = new Sheet().square(20, 40).tick(20, 40).letter(72, 40).square(200, 42).letter(240, 40);
  sheet.square(21, 120).letter(60, 120).square(300, 200).letter(340, 200);
  expect(found(sheet).toSorted((a, b) => a[1] - b[1])).toEqual([
    [20, 40, true],
    [200, 42, false],
    [21, 120, false],
  ]);
});

test('a square before words is a bullet, and one far away in its row that of another column', () => {
  expect(found(new Sheet().square(20, 40).letter(70, 40).square(20, 120).letter(70, 120))).toEqual([]);
  expect(found(new Sheet().square(0, 40).letter(50, 40).square(560, 40))).toEqual([]);
  const lines = new Sheet()
    .square(20, 40)
    .letter(60, 40)
    .letter(20, 120)
    .square(90, 120)
    .letter(130, 120)
    .square(20, 200);
  expect(signs(lines).bullets.map(({ x0, y0 }) => [x0, y0])).toEqual([[20, 40]]);
});

test('a square that is filled is a box beside one that is not', () => {
  expect(found(new Sheet().fill(20, 40, 28, 28).letter(70, 40))).toEqual([]);
  expect(found(new Sheet().fill(20, 40, 28, 28).letter(60, 40).square(200, 40).letter(240, 40))).toEqual([
    [20, 40, true],
    [200, 40, false],
  ]);
});

test('a square alone in a cell is a box', () => {
  const lines: DrawnLines = {
    across: [0, 100].map((y) => ({ x0: 0, x1: 300, y0: y, y1: y + 2 })),
    down: [0, 298].map((x) => ({ x0: x, x1: x + 2, y0: 0, y1: 102 })),
  };
  expect(found(new Sheet().square(120, 35), { lines })).toEqual([[120, 35, false]]);
  expect(found(new Sheet().square(120, 35).letter(180, 35), { lines })).toEqual([]);
});

test.each([
  ['a consonant with its vowel', new Sheet().square(20, 40).fill(60, 30, 5, 50).tick(20, 40)],
  ['a letter with a bar through it', new Sheet().square(20, 40).fill(20, 53, 30, 3)],
  ['a letter of letters that touch', new Sheet().square(20, 40).tick(20, 40).letter(56, 40).letter(0, 40)],
  ['a place for a figure among others', new Sheet().square(20, 40).square(51, 40).square(82, 40)],
  ['an open square', new Sheet().fill(20, 40, 30, 3).fill(20, 67, 30, 3).fill(20, 40, 3, 30).tick(20, 40)],
  ['a square with legs', new Sheet().square(20, 40).fill(20, 60, 3, 16).fill(47, 60, 3, 16).tick(20, 40)],
])('%s is no box', (_, sheet) => {
  expect(found(sheet)).toEqual([]);
});

test('a figure in a frame is no mark', () => {
  const sheet = new Sheet().square(20, 40).fill(33, 48, 4, 14).letter(70, 40);
  expect(found(sheet)).toEqual([[20, 40, true]]);
  expect(found(sheet, { isLetter: true })).toEqual([]);
});

test('large round letters, bold ones and hatched squares are none', () => {
  const round = new Sheet();
  for (let y = -24; y <= 24; y++)
    for (let x = -24; x <= 24; x++)
      if (Math.hypot(x, y) <= 24 && Math.hypot(x, y) >= 15) round.fill(60 + x, 60 + y, 1, 1);
  const hatched = new Sheet().square(20, 40);
  for (let at = 3; at < 27; at++)
    for (const from of [0, 8, 16]) hatched.fill(20 + 3 + ((at + from) % 24), 40 + at, 3, 1);
  for (const sheet of [round, hatched, new Sheet().square(20, 40, 30, 7).fill(33, 52, 4, 6)])
    expect(found(sheet)).toEqual([]);
});
