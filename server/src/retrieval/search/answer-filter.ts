import { embeddingOf } from '../collections/rows.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { createOverlapMatcher } from '../lexical-embedder/overlap.ts';
import { searchableText } from '../writing/rows.ts';
import type { Candidate } from './candidates.ts';
import type { Passage } from './passages.ts';
import type { SearchPlan } from './plan.ts';

/** Rejects passages that only look like answers. */
export interface AnswerFilter {
  /** Whether it may reject any. */
  readonly isActive: boolean;
  readonly accepts: (passage: Passage, found: Candidate) => boolean;
}

/**
 * A passage of a hybrid search that only the lexical embedder found, and that shares nothing with the query, is no answer: after
 * normalization it would look like the best hit. Pure vector searches keep such passages.
 */
export function createAnswerFilter({ collections, mode, alpha, query }: SearchPlan): AnswerFilter {
  const lexical = new Set(collections.filter((one) => embeddingOf(one).model === LEXICAL_MODEL).map(({ id }) => id));
  if (mode !== 'hybrid' || alpha === 1 || lexical.size === 0) return { isActive: false, accepts: () => true };
  const overlaps = createOverlapMatcher(query);
  return {
    isActive: true,
    accepts: (passage, { keyword }) =>
      keyword !== undefined || !lexical.has(passage.collection_id) || overlaps(searchableText(passage)),
  };
}
