import type { EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import { loadDecoder } from '@ai-studio/documents';
import { invalidRequest } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { lengthOfTexts, prefixesOf } from '../models/embedders.ts';
import { type EmbedResult, EngineError } from '../ports/engine.ts';
import { embedFitting, type FittedResult } from './embed-length.ts';
import type { ModelCall } from './model-call.ts';
import { asModelUnavailable } from './model-unavailable.ts';
import { requireModel } from './named-model.ts';
import { estimateTokens } from './request/prepare.ts';

export interface EmbedDeps {
  readonly catalogue: Catalogue;
}

export interface Embedded extends FittedResult {
  readonly model: string;
  readonly engine: string;
}

/** The texts of a request, each as it is or by its token ids. */
const inputsOf = ({ input }: Pick<EmbeddingsRequest, 'input'>): readonly (string | readonly number[])[] =>
  typeof input === 'string' ? [input] : isTokens(input) ? [input] : input;

const isTokens = (input: readonly unknown[]): input is readonly number[] => typeof input[0] === 'number';

/** Tokens that a request is admitted with. */
export const estimateEmbedTokens = (request: EmbeddingsRequest): number =>
  inputsOf(request).reduce(
    (sum, one) => sum + (typeof one === 'string' ? estimateTokens(Buffer.byteLength(one)) : one.length),
    0,
  );

/** What clients count tokens by that send their ids. Source: OpenAI, encoding of its embedding models. */
const ENCODING = 'cl100k_base';

/** The texts of a request. Throws StudioError `invalid_request` for ids that are of no token. */
async function textsOf(request: EmbeddingsRequest): Promise<readonly string[]> {
  const inputs = inputsOf(request);
  if (inputs.every((one) => typeof one === 'string')) return inputs;
  const decode = await loadDecoder(ENCODING);
  return inputs.map((one, at) => {
    if (typeof one === 'string') return one;
    const text = decode(one);
    const place = inputs.length === 1 ? 'input' : `input[${at}]`;
    if (text === null)
      throw invalidRequest(`${place} holds ids that are of no token of ${ENCODING}; send texts`, 'input');
    return text;
  });
}

const findModel = ({ catalogue }: EmbedDeps, call: ModelCall, id: string | null | undefined): CatalogueModel =>
  requireModel(catalogue, 'embedding', call.details.actor.allowedModels, id ?? catalogue.defaultEmbedder);

/** What stands before texts of a type; nothing before those of none. */
function prefixFor(model: CatalogueModel, type: NonNullable<EmbeddingsRequest['input_type']> | null): string {
  const { query, passage } = prefixesOf(model);
  switch (type) {
    case 'query':
    case 'search_query':
      return query;
    case 'passage':
    case 'document':
    case 'search_document':
      return passage;
    case null:
      return '';
  }
}

/** The square of a vector's length, as it is kept: of 32-bit numbers. */
const squaredNorm = (vector: readonly number[] | Float32Array): number => {
  let sum = 0;
  for (const value of vector) sum += Math.fround(value) ** 2;
  return Math.fround(sum);
};

function ofLengthOne(vector: readonly number[] | Float32Array): readonly number[] {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return Array.from(vector, (value) => value / length);
}

/** Why vectors cannot be used; null where they can. `length` is what they must have, where that is known. */
export function vectorFault({ vectors }: EmbedResult, count: number, length: number | null): string | null {
  if (vectors.length !== count) return `${vectors.length} vectors for ${count} texts`;
  const wanted = length ?? vectors[0]?.length;
  for (const vector of vectors) {
    if (vector.length !== wanted) return `a vector of ${vector.length} numbers instead of ${wanted}`;
    const square = squaredNorm(vector);
    if (!Number.isFinite(square)) return 'a vector that holds something else than numbers';
    if (square === 0) return 'a vector of zeros alone';
  }
  return null;
}

/** Requirements for the vectors. */
export interface EmbedOptions {
  /** Length that the model is asked for; null leaves it to the model. */
  readonly dimensions: number | null;
  /** Length that they must have; any where it is null or left out. */
  readonly length?: number | null;
  /** Time for all of them in milliseconds; that of all calls when left out. */
  readonly totalMs?: number;
  /** Stands before each text, such as `query: `; nothing when left out. */
  readonly prefix?: string;
  /** Texts that are longer than the model reads are cut at their end; they are refused when left out. */
  readonly truncate?: boolean;
  /** What the refusal of a text that is too long advises. */
  readonly advice?: string;
}

/**
 * One vector a text of a model, in order, which is metered. Vectors that cannot be used are a failure of their engine. Throws EngineError
 * of the last engine that was tried.
 */
export async function embedWith(
  call: ModelCall,
  model: CatalogueModel,
  input: readonly string[],
  { dimensions, length = null, totalMs, prefix = '', truncate = false, advice }: EmbedOptions,
): Promise<Embedded> {
  const { requestId, priority } = call.details;
  const texts = prefix === '' ? input : input.map((text) => prefix + text);
  const wish = { modelId: model.id, maxTokens: lengthOfTexts(model), truncate, advice };
  const done = await call.execute(
    model,
    async (engine, name, signal) => {
      const made = await embedFitting(
        engine,
        { requestId, priority, model: name, input: texts, dimensions, signal },
        wish,
      );
      const fault = vectorFault(made, input.length, length);
      if (fault !== null)
        throw new EngineError('protocol', `Engine ${engine.id} sent ${fault}`, {
          detail: `The embedding model ${model.id} gave ${fault}`,
        });
      const vectors = model.embedding.normalize === true ? made.vectors.map(ofLengthOne) : made.vectors;
      return { ...made, vectors, model: model.id, engine: engine.id };
    },
    totalMs === undefined ? undefined : () => totalMs,
  );
  call.meter({ model: done.model, engine: done.engine, promptTokens: done.promptTokens });
  return done;
}

/**
 * Some servers let `dimensions` go and give vectors of their own length: whoever asked for others would keep the wrong ones. Throws
 * StudioError `invalid_request`.
 */
function requireDimensions({ vectors: [first], model }: Embedded, dimensions: number | null): void {
  if (dimensions === null || first?.length === dimensions) return;
  throw invalidRequest(
    `dimensions is ${dimensions}, but the embedding model ${model} gives vectors of ${first?.length ?? 0} numbers and of no other length; leave it out`,
    'dimensions',
  );
}

/**
 * One vector a text, in order, of a model that the actor may use; it is metered.
 * Throws StudioError `invalid_request`, `unavailable`; EngineError of the last engine that was tried.
 */
export async function embed(deps: EmbedDeps, call: ModelCall, request: EmbeddingsRequest): Promise<Embedded> {
  const model = findModel(deps, call, request.model);
  const texts = await textsOf(request);
  const dimensions = request.dimensions ?? null;
  try {
    const made = await embedWith(call, model, texts, {
      dimensions,
      prefix: prefixFor(model, request.input_type ?? null),
      truncate: request.truncate === true || request.truncate === 'END',
      advice: 'Split it, or set truncate to true',
    });
    requireDimensions(made, dimensions);
    return made;
  } catch (error) {
    // A timeout is reported as such.
    throw error instanceof EngineError && error.kind === 'timeout'
      ? error
      : asModelUnavailable(error, `embedding model ${model.id}`);
  }
}
