import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';

/** Passages that are asked for where nothing is chosen, so that they are of enough documents. */
const PASSAGES = 50;

/** What a setting of an evaluation searches for; what a chat model says beside the question is asked for apart. Pure. */
export function requestOf(
  collectionId: string,
  question: string,
  { search, top_k: topK, threshold }: Pick<EvaluationSetting, 'search' | 'top_k' | 'threshold'>,
): SearchRequest {
  const { mode, alpha, fusion, rerank } = search;
  const { parent_size: parentSize, decay, boosts, collapse_duplicates: collapse } = search;
  return {
    query: question,
    collection_id: collectionId,
    search_type: mode,
    top_k: topK ?? PASSAGES,
    fusion,
    rerank,
    ...(alpha === null ? {} : { alpha }),
    ...(threshold == null ? {} : { score_threshold: threshold }),
    // What a setting says nothing of is as the collection says.
    ...(parentSize === undefined ? {} : { parent_size: parentSize }),
    ...(decay === undefined ? {} : { decay }),
    ...(boosts === undefined ? {} : { boosts }),
    ...(collapse === undefined ? {} : { collapse_duplicates: collapse }),
    highlight: false,
  };
}
