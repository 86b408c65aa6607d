import { type RerankReply, RerankRequest } from '@ai-studio/contract/rerank.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compileCheck, estimateTokens } from '../../chat/index.ts';
import type { KeyRecord } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type RerankDeps, type Reranked, rerank } from '../../rerank/index.ts';
import type { UsageRow } from '../../usage/index.ts';
import { statusOf, toStudioError } from '../failures.ts';
import type { Guard } from '../guard.ts';
import type { Observe } from '../observe.ts';

export interface RerankRouteDeps extends RerankDeps {
  readonly guard: Guard;
  readonly meter: { record(row: UsageRow): void };
  readonly observe: Observe;
  readonly maxJsonBytes: number;
  readonly now: () => number;
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

/** What a call has come to, for the meter and the log. */
interface Seen {
  readonly requestId: string;
  readonly startedMs: number;
  key: KeyRecord | null;
  done: Reranked | null;
  failure: unknown;
  canceled: boolean;
}

function report({ meter, observe, now }: RerankRouteDeps, seen: Seen): void {
  const { requestId, startedMs, key, done, failure, canceled } = seen;
  const durationMs = now() - startedMs;
  if (key && done) {
    meter.record({
      at: startedMs,
      tenantId: key.tenantId,
      keyId: key.id,
      endpoint: 'rerank',
      model: done.model,
      engine: done.engine,
      status: canceled ? 499 : 200,
      outcome: canceled ? 'canceled' : 'ok',
      stream: false,
      promptTokens: done.promptTokens,
      completionTokens: 0,
      reasoningTokens: null,
      firstTokenMs: null,
      latencyMs: durationMs,
    });
  }
  observe({
    requestId,
    route: 'rerank',
    status: canceled ? 499 : done ? 200 : statusOf(failure),
    keyId: key?.id ?? null,
    tenantId: key?.tenantId ?? null,
    model: done?.model ?? null,
    stream: false,
    durationMs,
    firstTokenMs: null,
    error: failure,
  });
}

/** POST /rerank. Source: decisions section 3. */
export function rerankRoutes(app: FastifyInstance, deps: RerankRouteDeps): void {
  const { guard, now, maxJsonBytes } = deps;
  const check = compileCheck(RerankRequest);

  /** Without a key no body is read. A length that is too large is refused here, as Fastify would cut the connection. */
  const onRequest = async (request: FastifyRequest) => {
    await guard.key(request, 'embeddings');
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > maxJsonBytes) throw new StudioError('too_large', `The body is larger than ${maxJsonBytes} bytes`);
  };
  /** Failures of the body count as requests, and tell what is left, as all others do. */
  const errorHandler = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const known = toStudioError(error);
    if (known.code !== 'unauthenticated' && known.code !== 'forbidden' && !reply.hasHeader('X-RateLimit-Limit')) {
      await guard.reserve(await guard.key(request, 'embeddings'), reply, 0);
    }
    throw error;
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply, seen: Seen, signal: AbortSignal) => {
    const key = await guard.key(request, 'embeddings');
    seen.key = key;
    // A body that is wrong is counted by the error handler.
    const body = check.passes(request.body) ? (request.body as RerankRequest) : check.explain(request.body);
    const estimate = estimateTokens(sizeOf(body));
    await guard.reserve(key, reply, estimate);
    const context = { requestId: request.id, allowedModels: key.allowedModels, signal };
    try {
      seen.done = await rerank(deps, context, body);
    } finally {
      guard.settle(key, (seen.done?.promptTokens ?? 0) - estimate);
    }
    return render(seen.done, request.id, body.return_documents === true);
  };

  // oxlint-disable-next-line typescript/no-misused-promises -- Fastify waits for error handlers; its types do not say so
  app.post('/rerank', { onRequest, errorHandler }, async (request, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const seen: Seen = {
      requestId: request.id,
      startedMs: now(),
      key: null,
      done: null,
      failure: null,
      canceled: false,
    };
    try {
      return await answer(request, reply, seen, gone.signal);
    } catch (error) {
      seen.failure = error;
      throw toStudioError(error);
    } finally {
      seen.canceled = gone.signal.aborted;
      report(deps, seen);
    }
  });
}
