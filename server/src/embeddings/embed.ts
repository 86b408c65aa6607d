import type { EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import type { RoutedEngine } from '../chat/index.ts';
import { StudioError, invalidRequest, quoteId } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { type EmbedResult, type Engine, EngineError } from '../ports/engine.ts';

export interface EmbedDeps {
  readonly catalogue: Catalogue;
  /** The addresses of an engine by its name; none where there is none of that name. */
  readonly addresses: (engine: string) => readonly RoutedEngine[];
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
 * One vector a text, in order. Tries the model's engines by priority.
 * Throws StudioError `invalid_request`, `unavailable`; EngineError of the last engine that was tried.
 */
export async function embed(deps: EmbedDeps, context: EmbedContext, request: EmbeddingsRequest): Promise<Embedded> {
  const model = findModel(request.model, deps, context.allowedModels);
  const input = typeof request.input === 'string' ? [request.input] : request.input;
  let last: unknown = new StudioError(
    'unavailable',
    `The model ${model.id} is bound to an engine that is not configured`,
  );
  for (const binding of model.engines.toSorted((a, b) => a.priority - b.priority)) {
    for (const { engine, use } of deps.addresses(binding.engine)) {
      const { dimensions = null } = request;
      try {
        const result = await use(() => inBatches(engine, binding.model ?? model.id, input, dimensions, context));
        return { ...result, model: model.id, engine: engine.id };
      } catch (error) {
        if (context.signal.aborted || (error instanceof EngineError && error.kind === 'refused')) throw error;
        last = error;
      }
    }
  }
  throw last;
}
