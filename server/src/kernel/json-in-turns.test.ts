import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { countTurns } from '../../test/support/turns.ts';
import { jsonInTurns } from './json-in-turns.ts';
import { times } from '../../test/support/long.ts';

const many = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));

test('it is what JSON.stringify makes of it, small or large', async () => {
  const small = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  await fc.assert(
    fc.asyncProperty(small, async (value) => {
      expect(await jsonInTurns(value)).toBe(JSON.stringify(value));
      const large = { a: many(5_000, () => value), b: { c: [many(30_000, (at) => at / 3), value], d: undefined } };
      expect(await jsonInTurns(large)).toBe(JSON.stringify(large));
    }),
    { numRuns: times(6, 20) },
  );
  for (const value of [{}, [], [[]], { a: [] }, { a: undefined, b: null }, many(50_000, () => null)])
    expect(await jsonInTurns(value)).toBe(JSON.stringify(value));
});

test('other work runs while a large one is written', async () => {
  const finding = { type: 'EMAIL', start: 1, end: 2, score: 0.9, text: 'a@b.kr' };
  for (const large of [
    { result: { findings: many(143_000, () => finding) } },
    { results: many(1_000, () => ({ findings: many(143, () => finding) })) },
    { data: many(500, () => ({ embedding: many(1_024, (at) => at / 7) })) },
  ]) {
    const stringify = vi.spyOn(JSON, 'stringify');
    const { result: text, count: turns } = await countTurns(() => jsonInTurns(large));
    const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
    stringify.mockRestore();
    expect(turns).toBeGreaterThan(10);
    expect(longest).toBeLessThan(text.length / 10);
  }
});
