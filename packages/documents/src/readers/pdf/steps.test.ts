import { expect, test } from 'vitest';
import { freeTables } from './aligned.ts';
import type { Glyph } from './glyphs.ts';
import { type Line, lineOf } from './lines.ts';
import { optionsOf } from './options.ts';
import { readingOrder } from './order.ts';

// How often the place of a line is looked at, for a page of many lines and for one of four times as many: hostile pages have thousands.

const SIZE = 4;
const look = { size: SIZE, bold: false, fixed: false, face: '', quarter: 0, mark: -1 } as unknown as Glyph['look'];
const glyphAt = (text: string, x0: number, base: number): Glyph => ({
  text,
  x0,
  x1: x0 + SIZE,
  y0: base - SIZE,
  y1: base + 1,
  base,
  hidden: false,
  apart: false,
  look,
});

let looked = 0;
/** A line whose places are counted when they are looked at. */
function counted(text: string, x: number, base: number): Line {
  const line = lineOf([...text].map((letter, at) => glyphAt(letter, x + at * SIZE, base)))!;
  const places = Object.fromEntries(
    (['base', 'x0', 'y0'] as const).map((name) => [
      name,
      { enumerable: true, get: () => (looked++, line[name]) } satisfies PropertyDescriptor,
    ]),
  );
  return Object.defineProperties({ ...line }, places);
}
function looksAt(work: (lines: readonly Line[]) => unknown, lines: readonly Line[]): number {
  looked = 0;
  work(lines);
  return looked;
}

type Place = readonly [text: string, x: number, base: number];
const signs = '①②③④';
const pages: Readonly<Record<string, (nth: number) => Place>> = {
  'options in four columns': (nth) => [`${signs[nth % 4]} 답이`, 20 + (nth % 4) * 120, 20 + (nth >> 2) * 5.5],
  'options anywhere': (nth) => [`${signs[nth % 4]} 가나다`, (nth * 7_919) % 560, (nth * 104_729) % 830],
  'options with lines below them': (nth) => [
    ['① 가', '② 나', '다라', '③ 마', '④ 바', '사아'][nth % 6]!,
    [20, 200, 24, 20, 200, 24][nth % 6]!,
    20 + Math.floor(nth / 6) * 24 + [0, 0, 6, 12, 12, 18][nth % 6]!,
  ],
  'words upon each other in two columns': (nth) => [
    nth % 9 === 0 ? '긴 말이 여기 있다' : '말',
    20 + (nth % 2) * 280,
    20 + nth * 0.2,
  ],
  'rows that are no table': (nth) => [
    (nth >> 2) % 3 === 0 ? '긴 말이 있다' : '말',
    20 + (nth % 4) * 30,
    20 + (nth >> 2) * 5,
  ],
};
const steps = { optionsOf, readingOrder, freeTables };

test.each([
  ['optionsOf', 'options in four columns'],
  ['optionsOf', 'options with lines below them'],
  ['readingOrder', 'words upon each other in two columns'],
  ['freeTables', 'options in four columns'],
  ['freeTables', 'rows that are no table'],
] as const)('%s: %s', (step, page) => {
  const linesOf = (count: number) => Array.from({ length: count }, (_, nth) => counted(...pages[page]!(nth)));
  const [few, many] = [looksAt(steps[step], linesOf(750)), looksAt(steps[step], linesOf(3_000))];
  expect(few).toBeGreaterThan(0);
  // In order it would be 4, by pairs 16.
  expect(many / few).toBeLessThan(7);
});
