import { RerankReply, RerankRequest } from '@ai-studio/contract/rerank.ts';
import { estimateRerankTokens, rerank, type RerankDeps, type Reranked } from '../index.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

function render({ ranked, model, promptTokens }: Reranked, requestId: string, withTexts: boolean): RerankReply {
  return {
    id: `rerank-${requestId}`,
    model,
    results: ranked.map(({ index, score, text }) => ({
      index,
      relevance_score: score,
      ...(withTexts ? { document: { text } } : {}),
    })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

/** POST /rerank. Source: decisions section 3. */
export const rerankRoutes = (deps: RerankDeps): readonly PublicRoute[] => [
  publicRoute({
    method: 'POST',
    path: '/rerank',
    access: 'embeddings',
    tag: 'Embeddings',
    summary: 'Reranking',
    description: 'Documents in the order of how well they answer the query, each with a score of 0 to 1.',
    body: { RerankRequest },
    reply: { RerankReply },
    example: { query: '연차 휴가는 며칠인가요?', documents: ['연차는 15일입니다.', '점심은 12시입니다.'], top_n: 1 },
    errors: ['timeout'],
    usage: 'rerank',
    estimate: estimateRerankTokens,
    handle: async ({ body, request, admitted }) =>
      render(await rerank(deps, admitted, body), request.id, body.return_documents === true),
  }),
];
