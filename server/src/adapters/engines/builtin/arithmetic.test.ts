import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate, formatNumber } from './arithmetic.ts';

describe('sums', () => {
  test.each([
    ['12*(3+4)는?', 84],
    ['2 ^ 3 ^ 2', 512],
    ['-3 - -4', 1],
    ['(1 + 2) * -3', -9],
    ['1,200 x 3 = ?', 3600],
    ['10 ÷ 4', 2.5],
    ['17 % 5', 2],
    ['0.1 + 0.2', 0.3],
    ['what is 15% of 240', 36],
    ['240의 15%는', 36],
    ['3 더하기 5', 8],
    ['10 나누기 4', 2.5],
    ['5와 7을 곱하면?', 35],
    ['100에서 37을 빼면', 63],
    ['144의 제곱근', 12],
    ['What is 3 plus 4 times 2?', 11],
    ['subtract 3 from 10', 7],
    ['the square root of 2', Math.SQRT2],
    ['1. 2+3', 5],
    ["what's 5 times 6 minus 4?", 26],
  ])('%s', (text, expected) => expect(calculate(text)?.result).toBeCloseTo(expected, 10));

  test.each([
    '010-1234-5678',
    '2026-03-05',
    '그냥 글 3',
    '1 +',
    '',
    '(2+3',
    'I was born in 1990',
    'on 3/4',
    '(((((((((',
  ])('%s is none', (text) => expect(calculate(text)).toBeNull());

  test('without a result say why', () => {
    expect(calculate('7 / 0')?.result).toBe('division_by_zero');
    expect(calculate('9999^9999')?.result).toBe('too_large');
  });

  test('are as JavaScript has them', () => {
    const sum = fc.letrec<{ sum: string }>((tie) => ({
      sum: fc.oneof(
        { depthSize: 'small' },
        fc.integer({ min: 1, max: 99 }).map(String),
        fc.tuple(tie('sum'), fc.constantFrom('+', '-', '*'), tie('sum')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      ),
    })).sum;
    fc.assert(
      fc.property(sum, sum, (a, b) => {
        const text = `${a} + ${b}`;
        if (text.length > 250) return;
        // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the reference to compare with, on text made here
        expect(calculate(text)?.result).toBe((new Function(`return ${text}`) as () => number)());
      }),
    );
  });

  test('show each step', () => expect(calculate('2 + 3 * 4')?.steps).toEqual(['3 × 4 = 12', '2 + 12 = 14']));
  test('show numbers without the noise of binary fractions', () => expect(formatNumber(0.1 + 0.2)).toBe('0.3'));
});
