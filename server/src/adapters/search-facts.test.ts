import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsOf, escapeSeparators, sortable } from './search-facts.ts';
import { times } from '../../test/support/long.ts';

const numbers = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 5e-324, -5e-324, 1e308, -1e308),
);

test('smaller numbers have smaller texts, and equal ones the same', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [left, right] = [sortable(a), sortable(b)];
      expect(left).toMatch(/^[\da-f]{16}$/);
      if (a === b) expect(left).toBe(right);
      else expect(left < right).toBe(a < b);
    }),
    { numRuns: times(200, 1_000) },
  );
});

test('no text keeps a sign that structures facts, and different ones stay different', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\u001C', '\u001D', '\u001E', '\u001F', ' ', '0') });
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(escapeSeparators(a)).not.toMatch(/[\u001E\u001F]/u);
      expect(escapeSeparators(a) === escapeSeparators(b)).toBe(a === b);
      expect(escapeSeparators(a) < escapeSeparators(b)).toBe(a < b);
    }),
  );
});

test('a field has its values once each, and says that it is there', () => {
  expect(factsOf({ fields: { a: ['x', 'x', true], b: [], c: 'y' } })).toEqual([
    'a\u001F',
    'a\u001Fsx',
    'a\u001Fb1',
    'c\u001F',
    'c\u001Fsy',
  ]);
});
