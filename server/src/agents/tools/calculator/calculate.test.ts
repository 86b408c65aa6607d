import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CalculationError, calculate } from './calculate.ts';
import { times } from '../../../../test/support/long.ts';

const value = (expression: string) => calculate(expression).text;

describe('the calculator', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1/3*3', '1'],
    ['-2^2', '-4'],
    ['2^-2', '0.25'],
    ['2^3^2', '512'],
    ['7 ÷ 2 × 4 − 1', '13'],
    ['(1 + 2) * 3', '9'],
    ['10% * 30', '3'],
    ['17 % 5', '2'],
    ['mod(-7, 3)', '2'],
    ['sqrt(1/4)', '0.5'],
    ['sqrt(2)', '1.4142135623730950488'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.5)', '-3'],
    ['round(1234, -2)', '1200'],
    ['max(1, 2, 3) + min(4, 5) + avg(1, 2) + SUM(1, 2)', '11.5'],
    ['123456789 * 987654321', '121932631112635269'],
    ['100000 * 1.1^10', '259374.24601'],
    ['1e100/3', '3.3333333333333333333e99'],
    ['2^3000', '1.2302319221611171769e903'],
    ['0^0', '1'],
    ['(-1)^99999999999', '-1'],
    ['floor(-1.5) + ceil(-1.5) + abs(-1)', '-2'],
  ])('%s is %s', (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });

  it('says whether something was rounded', () => {
    expect(calculate('1/3').exact).toBe(false);
    expect(calculate('pi').exact).toBe(false);
    expect(calculate('1/8')).toEqual({ text: '0.125', exact: true });
  });

  it.each([
    ['', /empty/],
    ['1/0', /divides by zero/],
    ['1,234', /without commas/],
    ['9^9^9', /too large/],
    ['1e2000', /too large/],
    ['process.exit(1)', /no part of a calculation/],
    ['constructor(1)', /it names constructor/],
    ['2 3', /operator is needed/],
    ['(1', /closing bracket/],
    ['sqrt(-1)', /below zero/],
    ['ln(0)', /no number/],
    ['round(1, 0.5)', /whole number of digits/],
    ['('.repeat(400) + '1', /nested too deeply/],
    ['2^'.repeat(400) + '1', /nested too deeply/],
    ['1+'.repeat(600) + '1', /more than 1000 characters/],
  ])('tells what is wrong with %s', (expression, message) => {
    expect(() => calculate(expression)).toThrow(CalculationError);
    expect(() => calculate(expression)).toThrow(message);
  });

  it('adds and multiplies decimals as whole numbers of their last place', () => {
    const cents = fc.integer({ min: -1e9, max: 1e9 });
    const written = (n: number) =>
      `(${n < 0 ? '-' : ''}${Math.floor(Math.abs(n) / 100)}.${String(Math.abs(n) % 100).padStart(2, '0')})`;
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const places = (text: string) => BigInt(Math.round(Number(text) * 100));
        expect(places(value(`${written(a)} + ${written(b)}`))).toBe(BigInt(a + b));
        expect(value(`${written(a)} * ${written(b)} * 10000 - ${BigInt(a) * BigInt(b)}`)).toBe('0');
      }),
    );
  });

  it('never fails otherwise', () => {
    const part = fc.constantFrom(
      '1',
      '0',
      '9e9',
      '.5',
      '+',
      '-',
      '*',
      '/',
      '^',
      '%',
      '(',
      ')',
      ',',
      'sqrt',
      'round',
      'pi',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        try {
          expect(value(parts.join(''))).toMatch(/^-?\d+(\.\d+)?(e-?\d+)?$/);
        } catch (error) {
          expect(error).toBeInstanceOf(CalculationError);
        }
      }),
      { numRuns: times(400, 2_000) },
    );
  });
});
