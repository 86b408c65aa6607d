import {
  CohereError,
  CohereRerankReply,
  CohereRerankRequest,
  RerankReply,
  RerankRequest,
} from '@ai-studio/contract/rerank.ts';
import { estimateRerankTokens, rerank, type RerankDeps, type Reranked } from '../index.ts';
import type { Failures } from '../../http-kit/failures.ts';
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

export interface RerankRouteDeps extends RerankDeps {
  readonly failures: Pick<Failures, 'cohere'>;
}

/** POST /rerank, and /v2/rerank in Cohere's form. Source: decisions section 3; docs.cohere.com, "Rerank API (v2)". */
export const rerankRoutes = ({ failures, ...deps }: RerankRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    method: 'POST',
    path: ['/v2/rerank', '/api/v2/rerank'],
    root: true,
    access: 'embeddings',
    tag: 'Embeddings',
    summary: 'Reranking as Cohere has it',
    description:
      'The same as POST /v1/rerank in the form of version 2 of Cohere’s interface, which its clients send. A failure has its `message` beside `error`.',
    body: { CohereRerankRequest },
    reply: { CohereRerankReply },
    example: {
      model: 'rerank-v3.5',
      query: '연차 휴가는 며칠인가요?',
      documents: ['연차는 15일입니다.', '점심은 12시입니다.'],
      top_n: 1,
    },
    errors: ['timeout'],
    usage: 'rerank',
    estimate: estimateRerankTokens,
    failure: { CohereError },
    renderFailure(error, { id }) {
      const { body, ...failure } = failures.cohere(error, id);
      return { ...failure, body: JSON.stringify(body) };
    },
    async handle({ body, request, admitted }) {
      const { ranked } = await rerank(deps, admitted, body);
      return {
        id: `rerank-${request.id}`,
        results: ranked.map(({ index, score }) => ({ index, relevance_score: score })),
        meta: { api_version: { version: '2' as const }, billed_units: { search_units: 1 as const } },
      };
    },
  }),
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
