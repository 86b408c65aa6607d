import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuse, type Fusion, type Ranking } from './fusion.ts';

const leg = (scores: Readonly<Record<string, number>>): Ranking =>
  Object.entries(scores)
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => b.score - a.score);
const order = (fused: readonly { readonly id: string }[]) => fused.map(({ id }) => id).join('');

test('scores of both legs are spread over 0 to 1 and weighted', () => {
  const vector = leg({ a: 0.9, b: 0.7, c: 0.5 });
  const keyword = leg({ b: 10, d: 5 });
  expect(fuse(vector, keyword, { kind: 'weighted', alpha: 0.4 })).toEqual([
    { id: 'b', score: expect.closeTo(0.4 * 0.5 + 0.6, 10) as number },
    { id: 'a', score: expect.closeTo(0.4, 10) as number },
    { id: 'd', score: expect.closeTo(0.6 * 0.5, 10) as number },
    { id: 'c', score: 0 },
  ]);
});

test('one hit alone is worth the whole weight of its leg', () => {
  expect(fuse(leg({ a: 0.2 }), [], { kind: 'weighted', alpha: 0.3 })).toEqual([{ id: 'a', score: 0.3 }]);
  expect(fuse([], leg({ a: 0.2 }), { kind: 'weighted', alpha: 0.25 })).toEqual([{ id: 'a', score: 0.75 }]);
});

test('places alone count with reciprocal ranks', () => {
  const vector = leg({ a: 0.9, b: 0.1 });
  const keyword = leg({ b: 99, c: 98 });
  expect(order(fuse(vector, keyword, { kind: 'reciprocal', alpha: 0.5 }))).toBe('bac');
  expect(fuse(vector, [], { kind: 'reciprocal', alpha: 1 })).toEqual([
    { id: 'a', score: 1 },
    { id: 'b', score: 61 / 62 },
  ]);
});

describe('any two legs', () => {
  const legs = fc
    .uniqueArray(
      fc.record({ id: fc.constantFrom(...'abcdefgh'), score: fc.double({ min: -1, max: 50, noNaN: true }) }),
      {
        selector: ({ id }) => id,
        maxLength: 8,
      },
    )
    .map((hits) => hits.toSorted((a, b) => b.score - a.score));
  const words = legs.map((hits) =>
    hits.map(({ id, score }) => ({ id, score: Math.abs(score) })).toSorted((a, b) => b.score - a.score),
  );
  const kinds = fc.constantFrom<Fusion['kind']>('weighted', 'reciprocal');

  test('give every hit once, the best first, between 0 and 1', () => {
    fc.assert(
      fc.property(legs, words, kinds, fc.double({ min: 0, max: 1, noNaN: true }), (vector, keyword, kind, alpha) => {
        const fused = fuse(vector, keyword, { kind, alpha });
        const ids = new Set([...vector, ...keyword].map(({ id }) => id));
        expect(new Set(fused.map(({ id }) => id))).toEqual(ids);
        expect(fused).toHaveLength(ids.size);
        for (const [at, { score }] of fused.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
          expect(score).toBeLessThanOrEqual(fused[at - 1]?.score ?? Infinity);
        }
      }),
    );
  });

  test('with all the weight on one leg keep its order', () => {
    fc.assert(
      fc.property(legs, words, kinds, (vector, keyword, kind) => {
        const place = (hits: Ranking) => new Map(hits.map(({ id, score }) => [id, score]));
        for (const [alpha, hits] of [
          [1, vector],
          [0, keyword],
        ] as const) {
          const scores = place(hits);
          const found = fuse(vector, keyword, { kind, alpha }).filter(({ id }) => scores.has(id));
          for (const [at, { id }] of found.entries()) {
            const before = found[at - 1];
            if (before !== undefined)
              expect(scores.get(before.id) ?? 0).toBeGreaterThanOrEqual((scores.get(id) ?? 0) - 1e-9);
          }
        }
      }),
    );
  });

  test('a hit that is before another in both legs stays before it', () => {
    fc.assert(
      fc.property(legs, words, kinds, fc.double({ min: 0, max: 1, noNaN: true }), (vector, keyword, kind, alpha) => {
        const fused = fuse(vector, keyword, { kind, alpha });
        const at = new Map(fused.map(({ id, score }) => [id, score]));
        const where = (hits: Ranking, id: string) => hits.findIndex((hit) => hit.id === id);
        for (const { id: a } of vector)
          for (const { id: b } of vector)
            if (where(vector, a) < where(vector, b) && where(keyword, a) >= 0 && where(keyword, a) < where(keyword, b))
              expect(at.get(a) ?? 0).toBeGreaterThanOrEqual((at.get(b) ?? 0) - 1e-9);
      }),
    );
  });
});
