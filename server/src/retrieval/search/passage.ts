import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';

/** A passage that a search found, before an answer gives it a number. */
export type Passage = Omit<Citation, 'number'>;

export const passageOf = (hit: SearchHit): Passage => ({
  collection_id: hit.collection_id,
  document_id: hit.document_id,
  document_name: hit.document_name,
  chunk_id: hit.chunk_id,
  page: hit.page,
  title: hit.title,
  content: hit.content,
  score: hit.score,
});
