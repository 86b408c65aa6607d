import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IndexedSet } from './indexed-set.ts';

it('holds what a Set would hold, whatever is added and taken out', () => {
  const step = fc.record({ add: fc.boolean(), at: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const all = Array.from({ length: 10 }, (_, name) => ({ name, place: -1 }));
      const roster = new IndexedSet<(typeof all)[number]>();
      const model = new Set<number>();
      for (const { add, at } of steps) {
        const member = all[at] as (typeof all)[number];
        if (add) roster.add(member);
        else roster.delete(member);
        if (add) model.add(at);
        else model.delete(at);
      }
      const held: number[] = [];
      roster.each(({ name }) => void held.push(name));
      expect(new Set(held)).toEqual(model);
      expect(held).toHaveLength(model.size);
      expect(roster.size).toBe(model.size);
    }),
  );
});

it('lets each member be taken out while it is visited', () => {
  const all = Array.from({ length: 5 }, (_, name) => ({ name, place: -1 }));
  const roster = new IndexedSet<(typeof all)[number]>();
  for (const member of all) roster.add(member);
  const seen: number[] = [];
  roster.each((member) => {
    seen.push(member.name);
    if (member.name % 2 === 0) roster.delete(member);
  });
  expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3, 4]));
  expect(seen).toHaveLength(5);
  expect(roster.size).toBe(2);
});
