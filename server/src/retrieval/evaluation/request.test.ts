import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';
import { expect, test } from 'vitest';
import { requestOf } from './request.ts';

const id = 'a'.repeat(32);
const search = { mode: 'hybrid', alpha: null, fusion: 'weighted', rerank: false } as const;
const asked = (more: Partial<EvaluationSetting['search']> = {}) =>
  requestOf(id, '연차', { search: { ...search, ...more }, top_k: null, threshold: null });

test('a setting searches as it says, and says nothing of what it leaves to the collection', () => {
  expect(asked()).toEqual({
    query: '연차',
    collection_id: id,
    search_type: 'hybrid',
    top_k: 50,
    fusion: 'weighted',
    rerank: false,
    highlight: false,
  });
});

test('a setting carries all that a search can be told of passages', () => {
  const decay = { half_life_days: 30, field: 'created_at', floor: 0 };
  const boosts = [{ filters: { kind: 'guideline' }, factor: 2 }];
  const request = asked({ parent_size: 512, decay, boosts, collapse_duplicates: true, alpha: 0 });
  expect(request).toMatchObject({ parent_size: 512, decay, boosts, collapse_duplicates: true, alpha: 0 });
  expect(SearchRequest.parse(request)).toEqual(request);
  // Off, where the collection has it on.
  expect(asked({ parent_size: null, decay: null, boosts: [] })).toMatchObject({
    parent_size: null,
    decay: null,
    boosts: [],
  });
});
