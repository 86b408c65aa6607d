import { describe, expect, test } from 'vitest';
import { type Ink, componentsOf } from './ink.ts';
import type { RecognisedLine } from './recognise.ts';
import { trianglesOf, withTriangles } from './triangles.ts';

// Ink around letters 40 pixels high.

const LETTER = 40;

interface Shape {
  readonly width?: number;
  readonly height?: number;
  /** Rows of its foot; none for a roof. */
  readonly foot?: number;
  /** Pixels of its strokes. */
  readonly stroke?: number;
  /** How far its sides bend inwards. */
  readonly bend?: number;
}

function inked({ width = 36, height = 30, foot = 3, stroke = 4, bend = 0 }: Shape): Ink {
  const ink = { width: 80, height: 60, data: new Uint8Array(80 * 60) };
  const fill = (x: number, y: number, length: number) =>
    ink.data.fill(1, y * 80 + Math.round(x), y * 80 + Math.round(x + length));
  for (let y = 0; y < height; y++) {
    const share = y / (height - 1);
    const half = ((width - stroke) / 2) * share - bend * Math.sin(Math.PI * share);
    fill(20 + (width - stroke) / 2 - half, 10 + y, stroke);
    fill(20 + (width - stroke) / 2 + half, 10 + y, stroke);
    if (y >= height - foot) fill(20, 10 + y, width);
  }
  return ink;
}
const found = (ink: Ink) => trianglesOf(ink, componentsOf(ink), LETTER).length;

test.each<[string, Shape, number]>([
  ['a sign', {}, 1],
  ['one of thin lines', { stroke: 2, foot: 2 }, 1],
  ['a wide one', { width: 42 }, 1],
  ['the consonant ㅅ, which has no foot', { foot: 0 }, 0],
  ['ㅅ whose legs bend, on a vowel that touches them', { bend: 7 }, 0],
  ['what is filled in', { stroke: 34 }, 0],
  ['a thick one, as a letter of a title', { stroke: 13 }, 0],
  ['a small one, as a mark of a chart', { width: 14, height: 12, stroke: 2 }, 0],
  ['a steep one', { width: 20 }, 0],
])('%s', (_what, shape, count) => {
  expect(found(inked(shape))).toBe(count);
});

describe('a sign among letters', () => {
  const letter = (text: string, x0: number, spaced = false) => ({
    text,
    x0,
    x1: x0 + 20,
    y0: 10,
    y1: 40,
    confidence: 0.9,
    spaced,
  });
  const line = (...letters: RecognisedLine['letters']): RecognisedLine => ({
    letters,
    x0: letters[0]?.x0 ?? 0,
    x1: letters.at(-1)?.x1 ?? 0,
    y0: 10,
    y1: 40,
    base: 40,
    confidence: 0.9,
  });
  const sign = (x0: number) => ({ x0, x1: x0 + 34, y0: 12, y1: 40, area: 200 });
  const textOf = ({ letters }: RecognisedLine) =>
    letters.map(({ text, spaced }) => (spaced ? ` ${text}` : text)).join('');

  test('belongs to the figures beside it, without a blank where there is none', () => {
    const given = line(letter('(', 100), letter('5', 160, true), letter(')', 182));
    expect(withTriangles([given], [sign(122)]).map(textOf)).toEqual(['(△5)']);
  });

  test('keeps the blank that stands there, and begins or ends a line', () => {
    const given = line(letter('이', 100), letter('익', 122), letter('5', 230, true));
    expect(withTriangles([given], [sign(190)]).map(textOf)).toEqual(['이익 △5']);
    expect(withTriangles([line(letter('5', 100))], [sign(62)]).map(textOf)).toEqual(['△5']);
    expect(withTriangles([line(letter('5', 100))], [sign(124)]).map(textOf)).toEqual(['5△']);
  });

  test('is a line of its own where nothing is beside it', () => {
    expect(withTriangles([line(letter('5', 100))], [sign(300)]).map(textOf)).toEqual(['5', '△']);
  });
});
