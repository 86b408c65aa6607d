import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uniqueNames } from './names.ts';

it('names of tools stay, but where two have one', () => {
  expect(
    uniqueNames([
      { name: 'search', server: 'GitHub' },
      { name: 'search', server: '위키 wiki' },
      { name: 'get.user/by id', server: 'x' },
      { name: 'search', server: 'GitHub' },
      { name: '날씨', server: '기상청' },
      { name: 'calculator', server: null },
      { name: 'calculator', server: null },
    ]),
  ).toEqual([
    'GitHub_search',
    'wiki_search',
    'get_user_by_id',
    'GitHub_search_2',
    'tool',
    'calculator',
    'calculator_2',
  ]);
});

it('of names without end only the beginning is read', () => {
  const name = `a${'_'.repeat(2_000_000)}b`;
  expect(uniqueNames([{ name, server: name }])).toEqual(['a']);
});

it('names are always of the form that models are given, and no two the same', () => {
  const tool = fc.record({
    name: fc.oneof(fc.string(), fc.constantFrom('a', 'a_2', 'b')),
    server: fc.option(fc.constantFrom('s', 'a', '')),
  });
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 40 }), (tools) => {
      const names = uniqueNames(tools);
      expect(names).toHaveLength(tools.length);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }),
  );
});
