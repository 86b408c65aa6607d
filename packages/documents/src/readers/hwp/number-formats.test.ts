import { expect, it } from 'vitest';

import { formatNumber } from './number-formats.ts';

it.each([
  [0, 12, '12'],
  [1, 3, '③'],
  [1, 21, '㉑'],
  [1, 51, '(51)'],
  [2, 14, 'XIV'],
  [3, 4, 'iv'],
  [4, 2, 'B'],
  [5, 27, 'aa'],
  [8, 1, '가'],
  [8, 14, '하'],
  [9, 2, '㉯'],
  [10, 3, 'ㄷ'],
  [11, 1, '㉠'],
  [12, 10, '십'],
  [12, 21, '이십일'],
  [13, 105, '百五'],
  [15, 3, '병'],
  [16, 1, '甲'],
  [99, 7, '7'],
  [2, 40_000, '40000'],
  [8, 0, '0'],
])('kind %i shows %i as %s', (kind, value, shown) => {
  expect(formatNumber(value, kind)).toBe(shown);
});
