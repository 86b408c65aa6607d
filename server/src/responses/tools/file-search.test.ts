import { expect, test } from 'vitest';
import { filtersOf } from './file-search.ts';

test('filters of the interface become those of a search', () => {
  const year = { type: 'gte', key: 'year', value: 2024 };
  expect(filtersOf(year, 'filters')).toEqual({ year: { $gte: 2024 } });
  const teams = { type: 'in', key: 'team', value: ['HR', 'IT'] };
  expect(filtersOf({ type: 'and', filters: [year, { type: 'or', filters: [teams] }] }, 'filters')).toEqual({
    $and: [{ year: { $gte: 2024 } }, { $or: [{ team: { $in: ['HR', 'IT'] } }] }],
  });
});

test.each([
  [null, 'filters'],
  [{ type: 'near', key: 'a', value: 1 }, 'filters.type'],
  [{ type: 'eq', key: '$where', value: 1 }, 'filters.key'],
  [{ type: 'eq', value: 1 }, 'filters.key'],
  [{ type: 'and', filters: [] }, 'filters.filters'],
  [{ type: 'and', filters: [{ type: 'eq', key: 'a', value: 1 }, 7] }, 'filters.filters[1]'],
])('%j is no filter', (given, param) => {
  expect(() => filtersOf(given, 'filters')).toThrow(
    expect.objectContaining({ code: 'invalid_request', param }) as Error,
  );
});
