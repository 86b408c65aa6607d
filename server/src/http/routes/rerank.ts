import { type RerankReply, RerankRequest } from '@ai-studio/contract/rerank.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compileCheck, estimateTokens } from '../../chat/index.ts';
import { type RerankDeps, type Reranked, rerank } from '../../rerank/index.ts';
import type { Metering } from '../../usage/index.ts';
import type { Guard } from '../guard.ts';
import { jsonRoute, recordCall } from './json-route.ts';

export interface RerankRouteDeps extends RerankDeps {
  readonly guard: Guard;
  readonly metering: Metering;
  readonly maxJsonBytes: number;
}

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
export function rerankRoutes(app: FastifyInstance, deps: RerankRouteDeps): void {
  const { guard, metering } = deps;
  const check = compileCheck(RerankRequest);

  const answer = async (request: FastifyRequest, reply: FastifyReply, signal: AbortSignal): Promise<Reranked> => {
    const key = await guard.key(request, reply, 'embeddings');
    // A body that is wrong is counted by the error handler.
    const body = check.passes(request.body) ? (request.body as RerankRequest) : check.explain(request.body);
    const estimate = estimateTokens(sizeOf(body));
    const rate = await guard.reserve(key, reply, estimate);
    let done: Reranked | null = null;
    try {
      done = await rerank(deps, { requestId: request.id, allowedModels: key.allowedModels, signal }, body);
      return done;
    } finally {
      guard.settle(key, rate, (done?.promptTokens ?? 0) - estimate);
    }
  };

  app.post('/rerank', jsonRoute(deps, 'embeddings'), async (request, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const done = await answer(request, reply, gone.signal);
    const { model, engine, promptTokens } = done;
    recordCall(metering, request, {
      endpoint: 'rerank',
      model,
      engine,
      promptTokens,
      outcome: gone.signal.aborted ? 'canceled' : 'ok',
    });
    return render(done, request.id, (request.body as RerankRequest).return_documents === true);
  });
}
