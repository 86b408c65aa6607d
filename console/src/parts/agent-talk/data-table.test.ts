import { expect, test } from 'vitest';
import { tableOf } from './data-table.ts';

test('a list of objects is a table, whatever its cells hold; other data are none', () => {
  expect(
    tableOf([
      { name: '가', count: 3 },
      { name: null, tags: ['x'], count: false },
    ]),
  ).toEqual({
    columns: ['name', 'count', 'tags'],
    rows: [
      ['가', '3', ''],
      ['', 'false', '["x"]'],
    ],
  });
  for (const other of [[], [1, 2], {}, 'x', null, [{}], [[1]], [{ a: 1 }, 2]]) expect(tableOf(other)).toBeNull();
  expect(tableOf([Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`c${at}`, at]))])).toBeNull();
});
