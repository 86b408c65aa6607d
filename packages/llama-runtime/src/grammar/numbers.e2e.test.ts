import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepts } from './accepts.fixture.ts';
import { decimalOf, decimalText, scaledUp } from './decimal.ts';
import { numberBody } from './numbers.ts';
import { Rules } from './rules.ts';

const grammarOf = (schema: Readonly<Record<string, unknown>>, integer: boolean): string | null => {
  const rules = new Rules();
  const body = numberBody(schema, integer, (name, digits) => rules.rule(name, digits));
  return body === null ? null : rules.text(body);
};

const bound = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: -20_000, max: 20_000 }).map((n) => n / 100),
  fc.constantFrom(0, 0.1, -0.1, 1e6, -1e6),
);
const bounds = fc.record(
  { minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
  { requiredKeys: [] },
);

interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}
const within = (n: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Limits) =>
  n >= (minimum ?? n) &&
  n <= (maximum ?? n) &&
  n > (exclusiveMinimum ?? -Infinity) &&
  n < (exclusiveMaximum ?? Infinity);
const isMultiple = (n: number, step: number) => scaledUp(decimalOf(n), 6) % scaledUp(decimalOf(step), 6) === 0n;

/** Numbers around the bounds and anywhere. */
const near = (limits: Limits) => {
  const ends = [0, ...Object.values(limits).filter((end) => typeof end === 'number')];
  const steps = [0, 0.01, -0.01, 0.000001, 1, -1, 0.5, 10, -10, 37, 100];
  return ends.flatMap((end) => steps.map((step) => Number((end + step).toFixed(6))));
};

describe('numbers of a schema', () => {
  it('are all decimals within the bounds and no others', () => {
    fc.assert(
      fc.property(bounds, fc.array(bound, { maxLength: 5 }), (limits, more) => {
        const grammar = grammarOf(limits, false);
        for (const n of [...near(limits), ...more]) {
          const text = decimalText(scaledUp(decimalOf(n), 6), 6);
          expect([limits, text, grammar !== null && accepts(grammar, text)]).toEqual([limits, text, within(n, limits)]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are all integers within the bounds that are multiples', () => {
    const step = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
    fc.assert(
      fc.property(
        bounds,
        step,
        fc.array(fc.integer({ min: -1e6, max: 1e6 }), { maxLength: 9 }),
        (limits, multipleOf, more) => {
          const grammar = grammarOf({ ...limits, ...(multipleOf === undefined ? {} : { multipleOf }) }, true);
          for (const n of [...near(limits).map(Math.trunc), ...more, ...more.map((m) => m * (multipleOf ?? 1))]) {
            const expected = within(n, limits) && n % (multipleOf ?? 1) === 0;
            const text = String(n === 0 ? 0 : n);
            expect([limits, text, grammar !== null && accepts(grammar, text)]).toEqual([limits, text, expected]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are all decimals that are multiples', () => {
    const step = fc.constantFrom(0.01, 0.05, 0.1, 0.25, 0.5, 1.5, 2.5, 0.3, 12.5);
    fc.assert(
      fc.property(
        bounds,
        step,
        fc.array(fc.integer({ min: -999, max: 999 }), { maxLength: 9 }),
        (limits, multipleOf, more) => {
          const grammar = grammarOf({ ...limits, multipleOf }, false);
          const multiples = more.map((m) => Number((m * multipleOf).toFixed(6)));
          for (const n of [...near(limits).map((m) => Number(m.toFixed(2))), ...multiples]) {
            const expected = within(n, limits) && isMultiple(n, multipleOf);
            const text = decimalText(scaledUp(decimalOf(n), 6), 6);
            expect([limits, multipleOf, text, grammar !== null && accepts(grammar, text)]).toEqual([
              limits,
              multipleOf,
              text,
              expected,
            ]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    [{ minimum: 5e-9, maximum: 6e-9 }, ['0.0000000055'], ['0.0000000049', '0.0000000061']],
    [{ minimum: 1e20 }, ['100000000000000000000', '123456789012345678901'], ['99999999999999999999']],
    [{ exclusiveMaximum: 1 }, ['0.999999', '-5'], ['1', '1.0', '0.9999999999999999999']],
    [
      { exclusiveMaximum: 1e20, minimum: 9e19 },
      ['99999999999999900000'],
      ['99999999999999999999', '100000000000000000000'],
    ],
    [{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, ['9007199254740991', '7'], ['9007199254740992', '-1']],
    [{ minimum: 1e308 }, [`1${'0'.repeat(308)}`], [`2${'0'.repeat(308)}`]],
    [{ exclusiveMinimum: true, minimum: 3 }, ['3.1'], ['3', '3.0']],
  ])('%j: ends that floats make hard', (schema, valid, invalid) => {
    const grammar = grammarOf(schema, false) ?? '';
    for (const text of valid) expect([text, accepts(grammar, text)]).toEqual([text, true]);
    for (const text of invalid) expect([text, accepts(grammar, text)]).toEqual([text, false]);
  });
});
