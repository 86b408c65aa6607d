import type { EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { type EmbedCall, type EmbedResult, type Engine, EngineError } from '../ports/engine.ts';
import type { ModelCall } from './model-call.ts';
import { estimateTokens } from './request/prepare.ts';

export interface EmbedDeps {
  readonly catalogue: Catalogue;
}

export interface Embedded extends EmbedResult {
  readonly model: string;
  readonly engine: string;
}

/** Texts that go to an engine in one call. */
const BATCH = 256;

const textsOf = ({ input }: Pick<EmbeddingsRequest, 'input'>): readonly string[] => [input].flat();

/** Tokens that a request is admitted with. */
export const estimateEmbed = (request: EmbeddingsRequest): number =>
  estimateTokens(textsOf(request).reduce((sum, text) => sum + Buffer.byteLength(text), 0));

function findModel({ catalogue }: EmbedDeps, call: ModelCall, id: string | null | undefined): CatalogueModel {
  const { allowedModels: allowed } = call.details.actor;
  const wanted = id ?? catalogue.defaultEmbedder;
  const model = catalogue.get(wanted);
  if (model?.kind === 'embedding' && (allowed === null || allowed.has(wanted))) return model;
  const ids = catalogue.list().filter((m) => m.kind === 'embedding' && (allowed === null || allowed.has(m.id)));
  throw invalidRequest(
    `The embedding model ${quoteId(wanted)} does not exist; use one of: ${ids.map((m) => m.id).join(', ') || 'none'}`,
    'model',
  );
}

async function inBatches(engine: Engine, call: EmbedCall): Promise<EmbedResult> {
  if (!engine.embed)
    throw new EngineError('refused', 'no embeddings', { detail: `The engine of this model makes no embeddings` });
  const vectors: EmbedResult['vectors'][number][] = [];
  let promptTokens = 0;
  for (let at = 0; at < call.input.length; at += BATCH) {
    const part = await engine.embed({ ...call, input: call.input.slice(at, at + BATCH) });
    vectors.push(...part.vectors);
    promptTokens += part.promptTokens;
  }
  return { vectors, promptTokens };
}

/** One vector a text of a model, in order, which is metered. Throws EngineError of the last engine that was tried. */
export async function embedWith(
  call: ModelCall,
  model: CatalogueModel,
  input: readonly string[],
  dimensions: number | null,
): Promise<Embedded> {
  const { requestId } = call.details;
  const done = await call.ask(model, async (engine, name, signal) => ({
    ...(await inBatches(engine, { requestId, model: name, input, dimensions, signal })),
    model: model.id,
    engine: engine.id,
  }));
  call.meter({ model: done.model, engine: done.engine, promptTokens: done.promptTokens });
  return done;
}

/**
 * One vector a text, in order, of a model that the actor may use; it is metered.
 * Throws StudioError `invalid_request`, `unavailable`; EngineError of the last engine that was tried.
 */
export async function embed(deps: EmbedDeps, call: ModelCall, request: EmbeddingsRequest): Promise<Embedded> {
  const model = findModel(deps, call, request.model);
  return embedWith(call, model, textsOf(request), request.dimensions ?? null);
}
