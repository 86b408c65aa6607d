import { type EmbeddingsReply, EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compileCheck, estimateTokens } from '../../chat/index.ts';
import { type EmbedDeps, type Embedded, embed } from '../../embeddings/index.ts';
import type { KeyRecord } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { UsageRow } from '../../usage/index.ts';
import { statusOf, toStudioError } from '../failures.ts';
import type { Guard } from '../guard.ts';
import type { Observe } from '../observe.ts';

export interface EmbeddingRouteDeps extends EmbedDeps {
  readonly guard: Guard;
  readonly meter: { record(row: UsageRow): void };
  readonly observe: Observe;
  readonly maxJsonBytes: number;
  readonly now: () => number;
}

type Vector = Embedded['vectors'][number];

const base64 = (vector: Vector) => {
  const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');
};

function render(
  { vectors, model, promptTokens }: Embedded,
  encoding: EmbeddingsRequest['encoding_format'],
): EmbeddingsReply {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? base64(vector) : Array.from(vector),
    })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

const sizeOf = (input: EmbeddingsRequest['input']) =>
  typeof input === 'string' ? Buffer.byteLength(input) : input.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** POST /embeddings and /text/embeddings: one handler. */
export function embeddingRoutes(app: FastifyInstance, deps: EmbeddingRouteDeps): void {
  const { guard, meter, observe, now, maxJsonBytes } = deps;
  const check = compileCheck(EmbeddingsRequest);

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

  for (const path of ['/embeddings', '/text/embeddings']) {
    // oxlint-disable-next-line typescript/no-misused-promises -- Fastify waits for error handlers; its types do not say so
    app.post(path, { onRequest, errorHandler }, async (request, reply) => {
      const startedMs = now();
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      let key: KeyRecord | null = null;
      let done: Embedded | null = null;
      let failure: unknown = null;
      try {
        key = await guard.key(request, 'embeddings');
        let body: EmbeddingsRequest;
        try {
          body = check.passes(request.body) ? (request.body as EmbeddingsRequest) : check.explain(request.body);
        } catch (error) {
          await guard.reserve(key, reply, 0);
          throw error;
        }
        const estimate = estimateTokens(sizeOf(body.input));
        await guard.reserve(key, reply, estimate);
        const context = { requestId: request.id, allowedModels: key.allowedModels, signal: gone.signal };
        try {
          done = await embed(deps, context, body);
        } finally {
          guard.settle(key, (done?.promptTokens ?? 0) - estimate);
        }
        return render(done, body.encoding_format);
      } catch (error) {
        failure = error;
        throw toStudioError(error);
      } finally {
        const canceled = gone.signal.aborted;
        if (key && done) {
          meter.record({
            at: startedMs,
            tenantId: key.tenantId,
            keyId: key.id,
            endpoint: 'embeddings',
            model: done.model,
            engine: done.engine,
            status: canceled ? 499 : 200,
            outcome: canceled ? 'canceled' : 'ok',
            stream: false,
            promptTokens: done.promptTokens,
            completionTokens: 0,
            reasoningTokens: null,
            firstTokenMs: null,
            latencyMs: now() - startedMs,
          });
        }
        observe({
          requestId: request.id,
          route: 'embeddings',
          status: canceled ? 499 : done ? 200 : statusOf(failure),
          keyId: key?.id ?? null,
          tenantId: key?.tenantId ?? null,
          model: done?.model ?? null,
          stream: false,
          durationMs: now() - startedMs,
          firstTokenMs: null,
          error: failure,
        });
      }
    });
  }
}
