import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { passageOf, passagesText } from '../../retrieval/index.ts';
import { type NodeRunner, callContextOf } from './node.ts';

/** Longest query that collections are searched by. */
const MAX_QUERY_LENGTH = 4_096;

const given = (passages: readonly Citation[]) => ({
  passages,
  text: passagesText(passages),
  count: passages.length,
});

/** Finds passages in the collections that the node names, and numbers them. */
export const runRetrieve: NodeRunner<'retrieve'> = async (deps, context) => {
  const { node, execution, text, trace } = context;
  const { passages } = execution;
  const { collections, search_type, alpha, rerank, score_threshold, filters, query_expansion: expansion } = node;
  if (collections.length === 0) throw new StudioError('invalid_request', 'The node names no collection');
  const query = text(node.query).trim().slice(0, MAX_QUERY_LENGTH).toWellFormed();
  trace({ query });
  if (query === '') return given([]);
  const { result } = await deps.search(await callContextOf(deps, context), {
    query,
    collection_ids: [...collections],
    top_k: node.top_k,
    highlight: false,
    ...(search_type === undefined ? {} : { search_type }),
    ...(alpha === undefined ? {} : { alpha }),
    ...(rerank === undefined ? {} : { rerank }),
    ...(score_threshold === undefined ? {} : { score_threshold }),
    ...(filters === undefined ? {} : { filters }),
    ...(expansion === undefined ? {} : { query_expansion: expansion }),
  });
  const { embedding_unavailable, rerank_unavailable, query_expansion, query_expansion_unavailable } = result;
  const told = { embedding_unavailable, rerank_unavailable, query_expansion, query_expansion_unavailable };
  const said = Object.entries(told).filter(([, value]) => value !== undefined);
  if (said.length > 0) trace({ query, ...Object.fromEntries(said) });
  return given(passages.number(result.hits.map(passageOf)));
};
