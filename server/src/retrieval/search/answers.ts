import { embeddingOf } from '../collections/rows.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { sharing } from '../lexical-embedder/sharing.ts';
import { findableText } from '../writing/rows.ts';
import type { Candidate } from './legs.ts';
import type { Passage } from './passages.ts';
import type { SearchPlan } from './plan.ts';

/** Which passages that were found are answers. */
export interface Answers {
  /** Whether some may be none. */
  readonly some: boolean;
  readonly are: (passage: Passage, found: Candidate) => boolean;
}

/**
 * A passage of a hybrid search that only the lexical embedder found, and that has nothing of the query, is no answer: however its leg is
 * spread, it would look like the best there is. Who asks for the nearest alone gets them.
 */
export function answering({ collections, mode, alpha, query }: SearchPlan): Answers {
  const lexical = new Set(collections.filter((one) => embeddingOf(one).model === LEXICAL_MODEL).map(({ id }) => id));
  if (mode !== 'hybrid' || alpha === 1 || lexical.size === 0) return { some: false, are: () => true };
  const shares = sharing(query);
  return {
    some: true,
    are: (passage, { keyword }) =>
      keyword !== undefined || !lexical.has(passage.collection_id) || shares(findableText(passage)),
  };
}
