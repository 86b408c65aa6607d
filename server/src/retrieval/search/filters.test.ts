import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../kernel/errors.ts';
import type { FieldValue } from '../../ports/search-index.ts';
import { compareText, matchesFilter } from './matches-filter.ts';
import { parseFilters } from './filters.ts';

const known = new Set(['department', 'year', 'tags', 'created_at']);
const fields = { has: (name: string) => known.has(name), isTime: (name: string) => name === 'created_at' };
const parse = (filters: unknown) => parseFilters(filters, fields);
const failure = (filters: unknown): StudioError => {
  try {
    parse(filters);
  } catch (error) {
    if (error instanceof StudioError) return error;
  }
  throw new Error('nothing was refused');
};

type Row = Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
const valuesOf = (row: Row) => (field: string) => [row[field] ?? []].flat();
const matches = (filters: unknown, row: Row): boolean => {
  const filter = parse(filters);
  return filter === null || matchesFilter(filter, valuesOf(row));
};

describe('filters as they are written', () => {
  const row: Row = { department: 'HR', year: 2024, tags: ['a', 'long text'], created_at: Date.UTC(2026, 2, 1, 9) };

  test.each<[unknown, boolean]>([
    [{}, true],
    [{ department: 'HR' }, true],
    [{ department: 'IT' }, false],
    [{ department: ['IT', 'HR'] }, true],
    [{ department: null }, false],
    [{ department: { $ne: null } }, true],
    [{ department: { $in: ['IT', null] } }, false],
    [{ year: '2024' }, false],
    [{ year: { $gte: 2024, $lt: 2025 } }, true],
    [{ year: { $gt: 2024 } }, false],
    [{ year: { $gt: '1' } }, false],
    [{ department: { $gt: 'HQ', $lte: 'HR' } }, true],
    [{ department: { $ne: 'IT' } }, true],
    [{ department: { $nin: ['HR'] } }, false],
    [{ tags: 'a' }, true],
    [{ tags: { $contains: 'text' } }, true],
    [{ tags: { $contains: 'Text' } }, false],
    [{ tags: { $exists: true } }, true],
    [{ tags: { $exists: false } }, false],
    [{ $not: { department: 'HR' } }, false],
    [{ department: { $not: { $eq: 'IT' } } }, true],
    [{ $or: [{ department: 'IT' }, { year: { $lt: 2025 } }] }, true],
    [{ $and: [{ department: 'HR' }, { year: 1 }] }, false],
    [{ department: 'HR', year: 1 }, false],
    [{ created_at: { $gte: '2026-03-01' } }, true],
    [{ created_at: { $lt: '2026-03-01T09:00:00Z' } }, false],
    [{ created_at: '2026-03-01T18:00:00+09:00' }, true],
    [{ $and: [{}] }, true],
    [{ $not: {} }, false],
  ])('%j on a row: %s', (filters, expected) => {
    expect(matches(filters, row)).toBe(expected);
  });

  test.each<[unknown, string, string]>([
    [{ salary: 1 }, 'filters.salary', '"salary"'],
    [{ $or: [{ department: 'HR' }, { salary: 1 }] }, 'filters.$or[1].salary', '"salary"'],
    [{ $not: { salary: 1 } }, 'filters.$not.salary', '"salary"'],
    [{ department: { $regex: '.*' } }, 'filters.department.$regex', 'no operator'],
    [{ $where: 'true' }, 'filters.$where', 'no operator'],
    [{ $and: [] }, 'filters.$and', 'at least one'],
    [{ $or: {} }, 'filters.$or', 'list'],
    [{ department: {} }, 'filters.department', 'operator'],
    [{ department: { $in: 'HR' } }, 'filters.department.$in', 'list'],
    [{ department: { $in: [['HR']] } }, 'filters.department.$in', 'text, a number'],
    [{ department: { $exists: 1 } }, 'filters.department.$exists', 'true or false'],
    [{ year: { $gt: true } }, 'filters.year.$gt', 'number or a text'],
    [{ year: { $gt: 'x'.repeat(129) } }, 'filters.year.$gt', '128'],
    [{ department: 'x'.repeat(1001) }, 'filters.department', '1000'],
    [{ created_at: 'yesterday' }, 'filters.created_at', 'time'],
    [{ created_at: { $contains: '2026' } }, 'filters.created_at.$contains', 'contains nothing'],
    [[], 'filters', 'object'],
    ['x', 'filters', 'object'],
    [{ department: { $in: Array.from({ length: 1001 }, () => 'a') } }, 'filters.department.$in', '1000'],
    [{ $and: Array.from({ length: 101 }, () => ({ department: 'a' })) }, 'filters.$and', '100'],
  ])('%j is refused at %s', (filters, param, word) => {
    expect(failure(filters)).toMatchObject({ code: 'invalid_request', param });
    expect(failure(filters).message).toContain(word);
  });

  test('what is nested without end, or holds too many conditions, is refused', () => {
    let deep: unknown = { department: 'HR' };
    for (let at = 0; at < 50; at++) deep = { $not: deep };
    expect(failure(deep).message).toContain('deep');
    let field: unknown = { $eq: 'HR' };
    for (let at = 0; at < 50; at++) field = { $not: field };
    expect(failure({ department: field }).message).toContain('deep');
    const wide = { $and: Array.from({ length: 40 }, () => ({ year: { $gt: 1, $lt: 2, $ne: 3 } })) };
    expect(failure(wide).message).toContain('100');
  });

  test('names that objects have by nature are fields like any other', () => {
    expect(failure({ constructor: 'x' }).param).toBe('filters.constructor');
    expect(failure(JSON.parse('{"__proto__":{"$eq":1}}')).param).toBe('filters.__proto__');
    expect(failure({ department: { toString: 1 } }).message).toContain('no operator');
  });
});

describe('laws of filters', () => {
  const value = fc.constantFrom<FieldValue>('a', 'b', 'ab', 1, 2, 3, true);
  const rows = fc.dictionary(
    fc.constantFrom('department', 'year', 'tags'),
    fc.oneof(value, fc.array(value, { maxLength: 3 })),
  );
  const field = fc.constantFrom('department', 'year', 'tags');
  const condition = fc.oneof(
    fc.record({ $eq: value }),
    fc.record({ $in: fc.array(value, { maxLength: 3 }) }),
    fc.record({ $gt: fc.constantFrom('a', 1, 2) }),
    fc.record({ $lte: fc.constantFrom('ab', 2) }),
    fc.record({ $contains: value }),
    fc.record({ $exists: fc.boolean() }),
  );
  const one = fc.tuple(field, condition).map(([name, how]) => ({ [name]: how }));

  test('opposites, and, or, not hold as in logic', () => {
    fc.assert(
      fc.property(one, one, rows, (a, b, row) => {
        const [left, right] = [matches(a, row), matches(b, row)];
        expect(matches({ $and: [a, b] }, row)).toBe(left && right);
        expect(matches({ $or: [a, b] }, row)).toBe(left || right);
        expect(matches({ $not: a }, row)).toBe(!left);
      }),
    );
    fc.assert(
      fc.property(field, value, fc.array(value, { maxLength: 3 }), rows, (name, wanted, list, row) => {
        expect(matches({ [name]: { $ne: wanted } }, row)).toBe(!matches({ [name]: { $eq: wanted } }, row));
        expect(matches({ [name]: { $nin: list } }, row)).toBe(!matches({ [name]: { $in: list } }, row));
        expect(matches({ [name]: { $in: list } }, row)).toBe(list.some((each) => matches({ [name]: each }, row)));
      }),
    );
  });

  test('texts are ordered by code points', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\uE000', '😀', '\uFFFF', '가') });
    const points = (text: string) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [left, right] = [points(a), points(b)];
        const at = left.findIndex((point, index) => point !== right[index]);
        const expected = at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(expected));
      }),
    );
  });
});
