import { describe, expect, test } from 'vitest';
import type { Component } from './ink.ts';
import { joinedLetters, regionsOf } from './regions.ts';
import type { DrawnLines } from './rules.ts';

const LETTER = 40;
const none: DrawnLines = { across: [], down: [] };

const box = (x0: number, y0: number, width: number, height: number): Component => ({
  x0,
  y0,
  x1: x0 + width,
  y1: y0 + height,
  area: width * height,
});
const widths = (components: readonly Component[], lines = none) => {
  const { regions } = regionsOf(components, lines, LETTER);
  return joinedLetters(regions, lines, LETTER).map(({ x0, x1, letters }) => [x0, x1, letters?.length ?? 1]);
};

describe('a letter that stands alone', () => {
  // 분: a consonant, a vowel that touches it, and white before the consonant below.
  const syllable = [box(100, 100, 30, 20), box(95, 122, 40, 18)];

  test('is one place, with white between its parts', () => {
    expect(regionsOf(syllable, none, LETTER).regions).toMatchObject([{ x0: 95, y0: 100, y1: 140 }]);
  });

  test('also where a line of the table that it stands in ends beside it', () => {
    const across = [{ x0: 300, x1: 600, y0: 120, y1: 122 }];
    expect(regionsOf(syllable, { across, down: [] }, LETTER).regions).toHaveLength(1);
    expect(regionsOf(syllable, { across: [{ ...across[0]!, x0: 80 }], down: [] }, LETTER).regions).toHaveLength(2);
  });

  test('is not two letters below each other', () => {
    expect(regionsOf([box(100, 100, 36, 34), box(100, 142, 36, 34)], none, LETTER).regions).toHaveLength(2);
  });
});

describe('letters of a word that are set apart', () => {
  const letters = [100, 250, 400].map((x) => box(x, 100, 36, 36));

  test('are one place', () => {
    expect(widths(letters)).toEqual([[100, 436, 3]]);
  });

  test('are not where a line stands between them, or much white', () => {
    const down = [{ x0: 320, x1: 322, y0: 80, y1: 160 }];
    expect(widths(letters, { across: [], down })).toEqual([
      [100, 286, 2],
      [400, 436, 1],
    ]);
    expect(widths([letters[0]!, box(600, 100, 36, 36)])).toHaveLength(2);
  });

  test('nor where a word stands between them, or they stand in other rows', () => {
    expect(widths([letters[0]!, box(250, 100, 90, 36), letters[2]!])).toHaveLength(3);
    expect(widths([letters[0]!, box(250, 130, 36, 36)])).toHaveLength(2);
  });
});
