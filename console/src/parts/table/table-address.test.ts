import { expect, test } from 'vitest';
import { holdsWords, orderOf, sortText } from './table-address.ts';
import { tableSearch } from './table-search.ts';

const usual = { column: 'name', descending: false };
const columns = ['name', 'created'];

test('an order stands in the address and is read from it again', () => {
  for (const order of [null, { column: 'name', descending: true }, { column: 'created', descending: false }, usual])
    expect(orderOf(sortText(order, usual), columns, usual)).toEqual(order);
  expect(sortText(usual, usual)).toBeUndefined();
  expect(sortText(null, null)).toBeUndefined();
});

test('an address of another table, or of nobody, gives the usual order', () => {
  expect(orderOf('-nothing', columns, usual)).toEqual(usual);
  expect(tableSearch({ sort: ['x'], q: { a: 1 } })).toEqual({ sort: undefined, q: undefined });
  expect(tableSearch({ sort: '-name', q: 2026 })).toEqual({ sort: '-name', q: '2026' });
});

test('words are found in any order and case', () => {
  expect(holdsWords('김민수 kim@example.kr', 'KIM 민수')).toBe(true);
  expect(holdsWords('김민수 kim@example.kr', 'lee')).toBe(false);
  expect(holdsWords('anything', ' ')).toBe(true);
});
