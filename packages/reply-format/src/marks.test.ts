import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstMark, partialMark } from './marks.ts';

const alphabet = fc.constantFrom('a', 'b');
const texts = fc.string({ unit: alphabet, maxLength: 8 });
const marks = fc.array(fc.string({ unit: alphabet, minLength: 1, maxLength: 5 }), { maxLength: 4 });

describe('the beginning of a mark at the end of a text', () => {
  it.each([
    ['답<', 1],
    ['답</think', 7],
    ['답</think>', 0],
    ['</', 2],
    ['<think', 0],
    ['', 0],
  ])('%j ends with %i characters of one', (text, length) => {
    expect(partialMark(text, ['</think>'])).toBe(length);
  });

  it('is the longest there is, and never all of a mark', () => {
    fc.assert(
      fc.property(texts, marks, (text, all) => {
        const beginnings = all.flatMap((mark) => Array.from(mark, (_, length) => mark.slice(0, length)));
        const lengths = beginnings.filter((begun) => text.endsWith(begun)).map(({ length }) => length);
        expect(partialMark(text, all)).toBe(Math.max(0, ...lengths));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the first mark in a text', () => {
  it('is the one that begins first, of two at one place the longer', () => {
    fc.assert(
      fc.property(texts, marks, (text, all) => {
        const found = Array.from(text, (_, at) => at).flatMap((at) =>
          all
            .filter((mark) => text.startsWith(mark, at))
            .toSorted((a, b) => b.length - a.length)
            .map((mark) => ({ at, mark })),
        );
        expect(firstMark(text, all)).toEqual(found[0] ?? null);
      }),
      { numRuns: 1000 },
    );
  });
});
