import { expect, test } from 'vitest';
import { figuresOf, meanOf, ranksOf } from './metrics.ts';

test('places begin at 1, and what is not found has none', () => {
  expect(ranksOf(['b', 'x', 'a'], ['a', 'b'])).toEqual([2, null, 1]);
});

test('recall is the share that was found so far up, nDCG tells the first place from the second', () => {
  expect(figuresOf([1])).toEqual({ recall_at_1: 1, recall_at_5: 1, recall_at_10: 1, ndcg_at_10: 1 });
  expect(figuresOf([2]).ndcg_at_10).toBeCloseTo(1 / Math.log2(3));
  expect(figuresOf([6, null])).toMatchObject({ recall_at_1: 0, recall_at_5: 0, recall_at_10: 0.5 });
  expect(figuresOf([1, 2]).ndcg_at_10).toBeCloseTo(1);
  expect(figuresOf([null])).toEqual({ recall_at_1: 0, recall_at_5: 0, recall_at_10: 0, ndcg_at_10: 0 });
});

test('the mean gives each question the same weight', () => {
  expect(meanOf([figuresOf([1]), figuresOf([null])])).toEqual({
    recall_at_1: 0.5,
    recall_at_5: 0.5,
    recall_at_10: 0.5,
    ndcg_at_10: 0.5,
  });
  expect(meanOf([]).ndcg_at_10).toBe(0);
});
