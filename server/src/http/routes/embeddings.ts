import { type EmbeddingsReply, EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compileCheck, estimateTokens } from '../../chat/index.ts';
import { type EmbedDeps, type Embedded, embed } from '../../embeddings/index.ts';
import type { Metering } from '../../usage/index.ts';
import type { Guard } from '../guard.ts';
import { jsonRoute, recordCall } from './json-route.ts';

export interface EmbeddingRouteDeps extends EmbedDeps {
  readonly guard: Guard;
  readonly metering: Metering;
  readonly maxJsonBytes: number;
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
  const { guard, metering } = deps;
  const check = compileCheck(EmbeddingsRequest);
  const hooks = jsonRoute(deps, 'embeddings');

  const answer = async (request: FastifyRequest, reply: FastifyReply, signal: AbortSignal): Promise<Embedded> => {
    const key = await guard.key(request, reply, 'embeddings');
    // A body that is wrong is counted by the error handler.
    const body = check.passes(request.body) ? (request.body as EmbeddingsRequest) : check.explain(request.body);
    const estimate = estimateTokens(sizeOf(body.input));
    const rate = await guard.reserve(key, reply, estimate);
    let done: Embedded | null = null;
    try {
      done = await embed(deps, { requestId: request.id, allowedModels: key.allowedModels, signal }, body);
      return done;
    } finally {
      guard.settle(key, rate, (done?.promptTokens ?? 0) - estimate);
    }
  };

  for (const path of ['/embeddings', '/text/embeddings']) {
    app.post(path, hooks, async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const done = await answer(request, reply, gone.signal);
      const { model, engine, promptTokens } = done;
      recordCall(metering, request, {
        endpoint: 'embeddings',
        model,
        engine,
        promptTokens,
        outcome: gone.signal.aborted ? 'canceled' : 'ok',
      });
      return render(done, (request.body as EmbeddingsRequest).encoding_format);
    });
  }
}
