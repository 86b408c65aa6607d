import { RerankReply, RerankRequest } from '@ai-studio/contract/rerank.ts';
import { estimateTokens, type RerankDeps, type Reranked, rerank } from '../../inference/index.ts';
import { publicRoute, type PublicRoute } from '../public-route.ts';

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

/** The query is read once with each document. */
function sizeOf({ query, documents }: RerankRequest): number {
  const texts = documents.reduce((sum, one) => sum + Buffer.byteLength(typeof one === 'string' ? one : one.text), 0);
  return texts + Buffer.byteLength(query) * documents.length;
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
    estimate: (body) => estimateTokens(sizeOf(body)),
    async handle({ key, body, signal, request, spend, count }) {
      const done = await rerank(deps, { requestId: request.id, allowedModels: key.allowedModels, signal }, body);
      const { model, engine, promptTokens } = done;
      spend(promptTokens);
      count({ model, engine, promptTokens });
      return render(done, request.id, body.return_documents === true);
    },
  }),
];
