import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalise } from './normalise.ts';
import { times } from '../../test/support/long.ts';

test.each([
  ['９６０１２１－１２３４５６７', '960121-1234567'],
  ['010–1234—5678', '010-1234-5678'],
  ['1\u200b2\u00ad3', '123'],
  ['9 6 0 1 2 1 - 1 2 3 4 5 6 7', '960121-1234567'],
  ['9 6 0 1 2 1-1 2 3 4 5 6 7', '960121-1234567'],
  ['１ ２ ３ ４ ５', '12345'],
  ['1 2 3', '1 2 3'],
  ['12 34 56 78 90', '12 34 56 78 90'],
  ['한글'.normalize('NFD'), '한글'],
  ['𝟏𝟐③', '12③'],
  ['a\u3000b\u00a0c', 'a b c'],
  ['٠١٢', '012'],
  ['서울 2024년 “인용”', '서울 2024년 “인용”'],
])('%j is read as %j', (text, read) => {
  expect(normalise(text).text).toBe(read);
});

test('every unit has its place in the original', () => {
  const piece = fc.constantFrom(
    '1',
    '2',
    'a',
    '가',
    '각'.normalize('NFD'),
    '가'.normalize('NFD'),
    '\u200b',
    '－',
    '𝟏',
    '😀',
    ' ',
    '-',
    '１',
    '\u00ad',
    '1 2 3 4 5 6',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const read = normalise(text);
      let last = 0;
      for (let at = 0; at < read.text.length; at++) {
        const [start, end] = [read.start(at), read.end(at + 1)];
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        // What it was made of gives it again, read by itself.
        expect(normalise(text.slice(start, end)).text).toBe(read.text[at]);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: times(400, 2_000) },
  );
});
