import { embeddingOf } from '../collections/rows.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { createOverlapMatcher } from '../lexical-embedder/overlap.ts';
import { keyOf } from '../synonyms/expand.ts';
import { searchableText } from '../writing/rows.ts';
import type { Candidate } from './candidates.ts';
import type { Passage } from './passages.ts';
import { type SearchPlan, wordsOf } from './plan.ts';

/** Rejects passages that only look like answers. */
export interface AnswerFilter {
  /** Whether it may reject any. */
  readonly isActive: boolean;
  readonly accepts: (passage: Passage, found: Candidate) => boolean;
}

/** Whether a text holds another way to say the query as a whole, however it is parted. */
function createSayingMatcher({ sayings }: Pick<SearchPlan, 'sayings'>): (text: string) => boolean {
  const keys = sayings.map(({ text }) => keyOf(text)).filter((key) => key !== '');
  return (text) => {
    const whole = keyOf(text);
    return keys.some((key) => whole.includes(key));
  };
}

/**
 * A passage of a hybrid search that only the lexical embedder found, and that shares nothing with the query, is no answer: after
 * normalization it would look like the best hit. Pure vector searches keep such passages. Nor is one that words found by a part of what the
 * query means: 기술 is not 과학기술정보통신부.
 */
export function createAnswerFilter(plan: SearchPlan): AnswerFilter {
  const { collections, mode, alpha, sayings } = plan;
  const lexical = new Set(collections.filter((one) => embeddingOf(one).model === LEXICAL_MODEL).map(({ id }) => id));
  const ofLexical = mode === 'hybrid' && alpha !== 1 && lexical.size > 0;
  const ofSayings = mode !== 'vector' && sayings.length > 0;
  if (!ofLexical && !ofSayings) return { isActive: false, accepts: () => true };
  const overlaps = createOverlapMatcher(wordsOf(plan));
  const says = createSayingMatcher(plan);
  return {
    isActive: true,
    accepts(passage, { keyword, vector }) {
      const byWords = keyword !== undefined;
      if (byWords && !ofSayings) return true;
      // A model that found it knows why.
      const byMeaning = vector !== undefined && !lexical.has(passage.collection_id);
      if (byMeaning || (!byWords && !ofLexical)) return true;
      const text = searchableText(passage);
      return overlaps(text) || (ofSayings && says(text));
    },
  };
}
