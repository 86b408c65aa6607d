import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layered } from './layers.ts';

const text = 'before, the days of leave are fifteen, after';

test('words stand out of what was found around them', () => {
  expect(layered(text, [{ start: 12, end: 16 }], [{ start: 8, end: 25 }])).toEqual([
    { start: 8, end: 12, found: true },
    { start: 12, end: 16 },
    { start: 16, end: 25, found: true },
  ]);
  // Also one that reaches over its end.
  expect(layered(text, [{ start: 20, end: 30 }], [{ start: 8, end: 25 }])).toEqual([
    { start: 8, end: 20, found: true },
    { start: 20, end: 30 },
  ]);
});

test('a passage that was found as a whole has its words alone', () => {
  const word = [{ start: 12, end: 16 }];
  expect(layered(text, word, [{ start: 0, end: text.length }])).toEqual(word);
  expect(layered(text, word, [])).toEqual(word);
});

test('whatever overlaps, places are apart and in order, and all that was found is marked', () => {
  const span = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 10 }));
  fc.assert(
    fc.property(fc.array(span), fc.array(span, { maxLength: 5 }), (gaps, parts) => {
      let end = 0;
      const words = gaps.map(([gap, length]) => ({ start: (end += gap % 7), end: (end += length) }));
      const found = parts.map(([start, length]) => ({ start, end: start + length }));
      const spans = layered('x'.repeat(1_000), words, found);
      for (const [at, { start }] of spans.entries()) expect(start).toBeGreaterThanOrEqual(spans[at - 1]?.end ?? 0);
      expect(spans.filter((one) => one.found !== true)).toEqual(words);
      for (const one of found)
        for (let at = one.start; at < one.end; at += 1)
          expect(spans.some(({ start, end: to }) => start <= at && at < to)).toBe(true);
    }),
  );
});
