import type { EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import type { ChatRouter } from './routing/index.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { type EmbedResult, type Engine, EngineError } from '../ports/engine.ts';

export interface EmbedDeps {
  readonly catalogue: Catalogue;
  readonly router: Pick<ChatRouter, 'call'>;
}

export interface EmbedContext {
  readonly requestId: string;
  /** Null is all. */
  readonly allowedModels: ReadonlySet<string> | null;
  readonly signal: AbortSignal;
}

export interface Embedded extends EmbedResult {
  readonly model: string;
  readonly engine: string;
}

/** Texts that go to an engine in one call. */
const BATCH = 256;

function findModel(
  id: string | null | undefined,
  { catalogue }: EmbedDeps,
  allowed: EmbedContext['allowedModels'],
): CatalogueModel {
  const wanted = id ?? catalogue.defaultEmbedder;
  const model = catalogue.get(wanted);
  if (model?.kind === 'embedding' && (allowed === null || allowed.has(wanted))) return model;
  const ids = catalogue.list().filter((m) => m.kind === 'embedding' && (allowed === null || allowed.has(m.id)));
  throw invalidRequest(
    `The embedding model ${quoteId(wanted)} does not exist; use one of: ${ids.map((m) => m.id).join(', ') || 'none'}`,
    'model',
  );
}

async function inBatches(
  engine: Engine,
  model: string,
  input: readonly string[],
  dimensions: number | null,
  { requestId, signal }: EmbedContext,
): Promise<EmbedResult> {
  if (!engine.embed)
    throw new EngineError('refused', 'no embeddings', { detail: `The engine of this model makes no embeddings` });
  const vectors: EmbedResult['vectors'][number][] = [];
  let promptTokens = 0;
  for (let at = 0; at < input.length; at += BATCH) {
    const part = await engine.embed({ requestId, model, input: input.slice(at, at + BATCH), dimensions, signal });
    vectors.push(...part.vectors);
    promptTokens += part.promptTokens;
  }
  return { vectors, promptTokens };
}

/**
 * One vector a text, in order.
 * Throws StudioError `invalid_request`, `unavailable`; EngineError of the last engine that was tried.
 */
export async function embed(deps: EmbedDeps, context: EmbedContext, request: EmbeddingsRequest): Promise<Embedded> {
  const { id: modelId, engines: bindings } = findModel(request.model, deps, context.allowedModels);
  const { requestId, signal } = context;
  const { dimensions = null } = request;
  const input = typeof request.input === 'string' ? [request.input] : request.input;
  return deps.router.call({ requestId, modelId, bindings, signal }, async (engine, model, ends) => {
    const result = await inBatches(engine, model, input, dimensions, { ...context, signal: ends });
    return { ...result, model: modelId, engine: engine.id };
  });
}
