import { expect, test } from 'vitest';
import { countTurns } from '../../../test/support/turns.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import { mapStrings } from './map-strings.ts';

const louder = (text: string) => text.toUpperCase();

test('strings are changed wherever they stand, and nothing else', async () => {
  const value = { a: 'x', list: ['y', 1, null, { b: ['z'], c: true }], none: undefined };
  expect(await mapStrings(value, louder, createTurnBudget())).toEqual({
    a: 'X',
    list: ['Y', 1, null, { b: ['Z'], c: true }],
    none: undefined,
  });
  expect(value.a).toBe('x');
});

test('many strings, long ones, and many steps are changed in turns', async () => {
  const turnsOf = async (work: () => Promise<unknown>) => (await countTurns(work)).count;
  const short = Array.from({ length: 20_000 }, () => 'a');
  expect(await turnsOf(() => mapStrings(short, louder, createTurnBudget()))).toBeGreaterThan(40);
  const long = Array.from({ length: 100 }, () => 'a'.repeat(10_000));
  expect(await turnsOf(() => mapStrings(long, louder, createTurnBudget()))).toBeGreaterThan(40);
  const spend = createTurnBudget();
  const steps = async () => {
    for (let step = 0; step < 1_000; step++) await mapStrings({ text: 'a'.repeat(1_000) }, louder, spend);
  };
  expect(await turnsOf(steps)).toBeGreaterThan(40);
});
