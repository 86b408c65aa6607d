import { expect, test } from 'vitest';
import { createCallLimit } from './embed-together.ts';

/** How many calls are made at the same time, round by round, for a model that embeds so many texts a second by as many calls. */
function callsFor(rateOf: (calls: number) => number, rounds = 60): number[] {
  const limit = createCallLimit();
  return Array.from({ length: rounds }, () => {
    const { calls } = limit;
    const texts = 64 * calls;
    limit.note(texts, (texts / rateOf(calls)) * 1_000);
    return calls;
  });
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('calls at the same time grow while that brings more texts a second, and no further', () => {
  const calls = callsFor((count) => 100 * Math.min(count, 4));
  expect(Math.max(...calls)).toBeLessThanOrEqual(5);
  expect(mean(calls.slice(20))).toBeGreaterThan(3);
});

test('a machine that gains nothing by a second call is mostly asked by one', () => {
  const calls = callsFor(() => 50);
  expect(Math.max(...calls)).toBe(2);
  expect(mean(calls)).toBeLessThan(1.7);
});

test('a model that says it has too much to do is asked by half as many', () => {
  const limit = createCallLimit();
  for (let round = 0; round < 20; round++) limit.note(64 * limit.calls, 64_000 / (100 * limit.calls));
  const before = limit.calls;
  expect(before).toBe(8);
  limit.ease();
  expect(limit.calls).toBe(4);
});
