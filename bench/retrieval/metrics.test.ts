import { expect, test } from 'vitest';
import { ndcg, recall } from './metrics.ts';

const relevance = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
]);

test('the best order is worth 1, no hit 0', () => {
  expect(ndcg(['a', 'b', 'x'], relevance)).toBe(1);
  expect(ndcg(['x', 'c'], relevance)).toBe(0);
  expect(ndcg([], relevance)).toBe(0);
});

test('a later place is worth less, by the logarithm of the place', () => {
  const best = 3 + 1 / Math.log2(3);
  expect(ndcg(['x', 'a'], relevance)).toBeCloseTo(3 / Math.log2(3) / best, 10);
  expect(ndcg(['b', 'a'], relevance)).toBeCloseTo((1 + 3 / Math.log2(3)) / best, 10);
  expect(ndcg(['x', 'a', 'b'], relevance, 1)).toBe(0);
});

test('recall counts the relevant ones that were found', () => {
  expect(recall(['a', 'x'], relevance)).toBe(0.5);
  expect(recall(['b', 'a', 'c'], relevance)).toBe(1);
  expect(recall(['c', 'x', 'a'], relevance, 2)).toBe(0);
});
