import type { RerankRequest } from '@ai-studio/contract/rerank.ts';
import { invalidRequest } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { type Engine, EngineError, type RerankCall } from '../ports/engine.ts';
import type { ModelCall } from './model-call.ts';
import { asModelUnavailable } from './model-unavailable.ts';
import { requireModel, usableModels } from './named-model.ts';
import { estimateTokens } from './request/prepare.ts';

export interface RerankDeps {
  readonly catalogue: Catalogue;
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
}

/** Documents that go to an engine in one call. Source: Text Embeddings Inference takes 32 unless told otherwise. */
const BATCH = 32;

/** The model that is meant, or the only one there is. Throws StudioError `invalid_request`. */
export function findReranker(
  wanted: string | null | undefined,
  { catalogue }: RerankDeps,
  allowed: ReadonlySet<string> | null,
): CatalogueModel {
  if (wanted !== null && wanted !== undefined) return requireModel(catalogue, 'rerank', allowed, wanted);
  const usable = usableModels(catalogue, 'rerank', allowed);
  const [only] = usable;
  if (only && usable.length === 1) return only;
  const ids = usable.map(({ id }) => id).join(', ');
  throw invalidRequest(
    only ? `model is required; use one of: ${ids}` : 'There is no reranking model yet; add one of kind rerank',
    'model',
  );
}

async function inBatches(engine: Engine, call: RerankCall): Promise<{ scores: number[]; promptTokens: number }> {
  if (!engine.rerank) {
    throw new EngineError('refused', 'no reranking', { detail: 'The engine of this model cannot rerank' });
  }
  const scores: number[] = [];
  let promptTokens = 0;
  for (let at = 0; at < call.documents.length; at += BATCH) {
    const documents = call.documents.slice(at, at + BATCH);
    const part = await engine.rerank({ ...call, documents });
    if (part.scores.length !== documents.length || !part.scores.every(Number.isFinite))
      throw new EngineError('protocol', `Engine ${engine.id} sent scores that cannot be used`);
    scores.push(...part.scores);
    promptTokens += part.promptTokens;
  }
  return { scores, promptTokens };
}

const textsOf = ({ documents }: RerankRequest): readonly string[] =>
  documents.map((one) => (typeof one === 'string' ? one : one.text));

/** Tokens that a request is admitted with. The query is read once with each document. */
export function estimateRerankTokens(request: RerankRequest): number {
  const texts = textsOf(request);
  const query = Buffer.byteLength(request.query) * texts.length;
  return estimateTokens(texts.reduce((sum, text) => sum + Buffer.byteLength(text), query));
}

/**
 * Orders documents by how well they answer the query; the model is metered. `totalMs` limits the time, where given.
 * Throws EngineError of the last engine that was tried; StudioError `unavailable` where none is configured.
 */
export async function rerankWith(
  call: ModelCall,
  model: CatalogueModel,
  request: RerankRequest,
  { totalMs }: { readonly totalMs?: number } = {},
): Promise<Reranked> {
  const { requestId, priority } = call.details;
  const { query } = request;
  const documents = textsOf(request);
  const done = await call.execute(
    model,
    async (engine, name, signal) => ({
      ...(await inBatches(engine, { requestId, priority, model: name, query, documents, signal })),
      engine: engine.id,
    }),
    totalMs === undefined ? undefined : () => totalMs,
  );
  const { scores, promptTokens, engine } = done;
  const ranked = documents
    .map((text, index) => ({ index, score: scores[index] ?? 0, text }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, request.top_n ?? undefined);
  call.meter({ model: model.id, engine, promptTokens });
  return { ranked, promptTokens, model: model.id };
}

/**
 * As `rerankWith`, by a model that the actor may use. Scores that cannot be used are `unavailable` with a time to wait. Throws StudioError
 * `invalid_request`, `unavailable`; EngineError of the last engine that was tried.
 */
export async function rerank(deps: RerankDeps, call: ModelCall, request: RerankRequest): Promise<Reranked> {
  const model = findReranker(request.model, deps, call.details.actor.allowedModels);
  try {
    return await rerankWith(call, model, request);
  } catch (error) {
    // A timeout is reported as such.
    throw error instanceof EngineError && error.kind === 'timeout'
      ? error
      : asModelUnavailable(error, `reranking model ${model.id}`);
  }
}
