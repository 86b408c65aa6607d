import type { RerankRequest } from '@ai-studio/contract/rerank.ts';
import type { ChatRouter } from './routing/index.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { type Engine, EngineError, type RerankCall } from '../ports/engine.ts';

export interface RerankDeps {
  readonly catalogue: Catalogue;
  readonly router: Pick<ChatRouter, 'call'>;
}

export interface RerankContext {
  readonly requestId: string;
  /** Null is all. */
  readonly allowedModels: ReadonlySet<string> | null;
  readonly signal: AbortSignal;
}

/** A document with how well it answers the query, 0 to 1. */
export interface Ranked {
  /** Its place in the request. */
  readonly index: number;
  readonly score: number;
  readonly text: string;
}

export interface Reranked {
  /** Best first; equal ones in the order of the request. */
  readonly ranked: readonly Ranked[];
  readonly promptTokens: number;
  readonly model: string;
  readonly engine: string;
}

/** Documents that go to an engine in one call. Source: Text Embeddings Inference takes 32 unless told otherwise. */
const BATCH = 32;

/** The model that is meant, or the only one there is. Throws StudioError `invalid_request`. */
export function findReranker(
  wanted: string | null | undefined,
  { catalogue }: Pick<RerankDeps, 'catalogue'>,
  allowed: RerankContext['allowedModels'],
): CatalogueModel {
  const usable = catalogue.list().filter(({ id, kind }) => kind === 'rerank' && (allowed === null || allowed.has(id)));
  const ids = usable.map(({ id }) => id).join(', ');
  if (wanted === null || wanted === undefined) {
    const [only] = usable;
    if (only && usable.length === 1) return only;
    throw invalidRequest(
      only ? `model is required; use one of: ${ids}` : 'There is no reranking model yet; add one of kind rerank',
      'model',
    );
  }
  const model = usable.find(({ id }) => id === wanted);
  if (model) return model;
  throw invalidRequest(`The reranking model ${quoteId(wanted)} does not exist; use one of: ${ids || 'none'}`, 'model');
}

async function inBatches(engine: Engine, call: RerankCall): Promise<{ scores: number[]; promptTokens: number }> {
  if (!engine.rerank) {
    throw new EngineError('refused', 'no reranking', { detail: 'The engine of this model cannot rerank' });
  }
  const scores: number[] = [];
  let promptTokens = 0;
  for (let at = 0; at < call.documents.length; at += BATCH) {
    const part = await engine.rerank({ ...call, documents: call.documents.slice(at, at + BATCH) });
    scores.push(...part.scores);
    promptTokens += part.promptTokens;
  }
  return { scores, promptTokens };
}

/**
 * Orders documents by how well they answer the query.
 * Throws StudioError `invalid_request`, `unavailable`; EngineError of the last engine that was tried.
 */
export async function rerank(deps: RerankDeps, context: RerankContext, request: RerankRequest): Promise<Reranked> {
  const { id: modelId, engines: bindings } = findReranker(request.model, deps, context.allowedModels);
  const { requestId, signal } = context;
  const { query } = request;
  const documents = request.documents.map((one) => (typeof one === 'string' ? one : one.text));
  return deps.router.call({ requestId, modelId, bindings, signal }, async (engine, model, ends) => {
    const { scores, promptTokens } = await inBatches(engine, { requestId, model, query, documents, signal: ends });
    const ranked = documents
      .map((text, index) => ({ index, score: scores[index] ?? 0, text }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, request.top_n ?? undefined);
    return { ranked, promptTokens, model: modelId, engine: engine.id };
  });
}
