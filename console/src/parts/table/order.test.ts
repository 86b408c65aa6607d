import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextOrder, pageOf, sortRows } from './order.ts';

const value = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 3 }));

test('rows are ordered either way, what has no value stands last, equal rows stay as they were', () => {
  fc.assert(
    fc.property(fc.array(value), fc.boolean(), (values, descending) => {
      const rows = values.map((one, at) => ({ value: one, at }));
      const sorted = sortRows(rows, (row) => row.value, descending, 'ko');
      expect(sorted.toSorted((a, b) => a.at - b.at)).toEqual(rows);
      for (const [at, row] of sorted.entries()) {
        const next = sorted[at + 1];
        if (next === undefined) continue;
        if (row.value === null) expect(next.value).toBe(null);
        else if (next.value !== null) {
          if (descending) expect(row.value).toBeGreaterThanOrEqual(next.value);
          else expect(row.value).toBeLessThanOrEqual(next.value);
        }
        if (row.value === next.value) expect(row.at).toBeLessThan(next.at);
      }
    }),
  );
});

test('names are ordered as people read them', () => {
  const names = (language: string) => sortRows(['나10', '나9', 'b', 'A', '가'], (name) => name, false, language);
  expect(names('ko')).toEqual(['가', '나9', '나10', 'A', 'b']);
  expect(names('en')).toEqual(['A', 'b', '가', '나9', '나10']);
});

test('a heading orders upward, then downward, then not at all', () => {
  const up = nextOrder(null, 'a');
  expect(up).toEqual({ column: 'a', descending: false });
  const down = nextOrder(up, 'a');
  expect(down).toEqual({ column: 'a', descending: true });
  expect(nextOrder(down, 'a')).toBe(null);
  expect(nextOrder(down, 'b')).toEqual({ column: 'b', descending: false });
});

test('pages hold every row once, and none is beyond the last', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (rows, size) => {
      const { pages } = pageOf(rows, 1, size);
      const all = Array.from({ length: pages }, (_, at) => pageOf(rows, at + 1, size).rows).flat();
      expect(all).toEqual(rows);
      expect(pageOf(rows, pages + 5, size).page).toBe(pages);
    }),
  );
});
