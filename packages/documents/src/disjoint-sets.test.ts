import { expect, test } from 'vitest';
import fc from 'fast-check';
import { DisjointSets } from './disjoint-sets.ts';

test('items have a root in common when they are joined, directly or through others', () => {
  const sets = new DisjointSets(5);
  sets.join(0, 1);
  sets.join(2, 3);
  expect(sets.find(0)).toBe(sets.find(1));
  expect(sets.find(1)).not.toBe(sets.find(2));
  sets.join(3, 0);
  expect(new Set([0, 1, 2, 3].map((item) => sets.find(item))).size).toBe(1);
  expect(sets.find(4)).toBe(4);
});

test('the root of the second set stands for both', () => {
  const sets = new DisjointSets(3);
  sets.join(0, 1);
  sets.join(0, 2);
  expect([0, 1, 2].map((item) => sets.find(item))).toEqual([2, 2, 2]);
});

test('items can be added, beyond the first number of them too', () => {
  const sets = new DisjointSets();
  const items = Array.from({ length: 1_000 }, () => sets.add());
  expect(items).toEqual(Array.from({ length: 1_000 }, (_, item) => item));
  expect(sets.size).toBe(1_000);
  for (const item of items.slice(1)) sets.join(item, item - 1);
  expect(new Set(items.map((item) => sets.find(item)))).toEqual(new Set([0]));
});

test('any joins give the sets that labels passed on by hand give', () => {
  const pair = fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 19 }));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 40 }), (pairs) => {
      const sets = new DisjointSets(20);
      let labels = Array.from({ length: 20 }, (_, item) => item);
      for (const [one, other] of pairs) {
        sets.join(one, other);
        labels = labels.map((label) => (label === labels[one] ? labels[other]! : label));
      }
      for (let one = 0; one < 20; one++)
        for (let other = 0; other < 20; other++)
          expect(sets.find(one) === sets.find(other)).toBe(labels[one] === labels[other]);
    }),
  );
});
