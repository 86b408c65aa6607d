import { sql } from 'kysely';
import { embed } from '../inference/index.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { LEXICAL_EMBEDDER } from '../models/defaults.ts';
import { EngineError } from '../ports/engine.ts';
import type { RetrievalDeps } from './deps.ts';
import { LEXICAL_DIMENSION, LEXICAL_MODEL } from './lexical-embedder/index.ts';

const usable = (catalogue: Catalogue, allowed: ReadonlySet<string> | null) =>
  catalogue
    .list()
    .filter(({ id, kind }) => kind === 'embedding' && id !== LEXICAL_EMBEDDER && (allowed === null || allowed.has(id)));

/** The model of collections that name none: the default embedder of the service, else any, else the one that needs none. */
function defaultModel(catalogue: Catalogue, allowed: ReadonlySet<string> | null): string {
  const models = usable(catalogue, allowed);
  return (models.find(({ id }) => id === catalogue.defaultEmbedder) ?? models[0])?.id ?? LEXICAL_MODEL;
}

/** The embedding models that a new collection may have, the one first that it has where none is chosen. */
export function embeddingModelsFor(catalogue: Catalogue, allowed: ReadonlySet<string> | null): readonly string[] {
  const first = defaultModel(catalogue, allowed);
  return [...new Set([first, ...usable(catalogue, allowed).map(({ id }) => id), LEXICAL_MODEL])];
}

/** The embedding model of a collection. */
export interface EmbeddingChoice {
  readonly model: string;
  /** Length of vectors that the model is asked for; null leaves it to the model. */
  readonly asked: number | null;
  /** Length of the vectors of the collection; null until the first is made. */
  readonly dimension: number | null;
}

/** Whether a row of chunk_vectors is of this embedding: by its model, and by its length where that is known. */
export const isVectorOf = ({ model, dimension }: EmbeddingChoice) =>
  dimension === null
    ? sql<boolean>`chunk_vectors.model = ${model}`
    : sql<boolean>`chunk_vectors.model = ${model} AND octet_length(chunk_vectors.vector) = ${dimension * Float32Array.BYTES_PER_ELEMENT}`;

/** What a collection embeds with. Throws StudioError `invalid_request` for a model that is not there, or not the key's to use. */
export function chooseEmbedding(
  catalogue: Catalogue,
  allowed: ReadonlySet<string> | null,
  { model, dimension }: { readonly model: string | undefined; readonly dimension: number | null | undefined },
): EmbeddingChoice {
  const wanted = model ?? defaultModel(catalogue, allowed);
  if (wanted === LEXICAL_MODEL || wanted === LEXICAL_EMBEDDER) {
    if (dimension != null && dimension !== LEXICAL_DIMENSION)
      throw invalidRequest(
        `The vectors of ${LEXICAL_MODEL} have ${LEXICAL_DIMENSION} numbers; leave embedding_dimension out`,
        'ingest_config.embedding_dimension',
      );
    return { model: LEXICAL_MODEL, asked: null, dimension: LEXICAL_DIMENSION };
  }
  const models = usable(catalogue, allowed);
  if (!models.some(({ id }) => id === wanted))
    throw invalidRequest(
      `The embedding model ${quoteId(wanted)} does not exist; use one of: ${[LEXICAL_MODEL, ...models.map(({ id }) => id)].join(', ')}`,
      'ingest_config.embedding_model',
    );
  return { model: wanted, asked: dimension ?? null, dimension: dimension ?? null };
}

/** Vectors of texts, in order. */
export interface Embedding {
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
  /** Null where no engine was asked. */
  readonly engine: string | null;
}

const asFloats = (vector: readonly number[] | Float32Array) =>
  vector instanceof Float32Array ? vector : Float32Array.from(vector);

/**
 * Asks the model of a collection for vectors. Rejects with EngineError, also for vectors that cannot be used, StudioError, and the
 * reason of the signal.
 */
export async function embedByModel(
  deps: Pick<RetrievalDeps, 'catalogue' | 'router'>,
  { model, asked, dimension }: EmbeddingChoice,
  texts: readonly string[],
  { requestId, signal }: { readonly requestId: string; readonly signal: AbortSignal },
): Promise<Embedding> {
  // The vectors of a model that was taken away from the catalogue are as good as ever, but no more can be made.
  if (deps.catalogue.get(model)?.kind !== 'embedding')
    throw new EngineError('unavailable', `no embedding model ${model}`, {
      detail: `The embedding model ${model} of the collection is not in the catalogue any more`,
    });
  const request = { model, input: [...texts], ...(asked === null ? {} : { dimensions: asked }) };
  const { vectors, promptTokens, engine } = await embed(deps, { requestId, allowedModels: null, signal }, request);
  const floats = vectors.map(asFloats);
  const length = dimension ?? floats[0]?.length ?? 0;
  const fine = floats.every((one) => one.length === length && length > 0 && one.every(Number.isFinite));
  if (!fine || floats.length !== texts.length)
    throw new EngineError('protocol', 'vectors that cannot be used', {
      detail: `The embedding model ${model} gave vectors of another form than ${dimension ?? 'the same'} numbers each`,
    });
  return { vectors: floats, tokens: promptTokens, engine };
}

/** A vector as the database keeps it. */
export const packVector = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** A vector as the database kept it. */
export function unpackVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT);
  Buffer.from(vector.buffer).set(bytes);
  return vector;
}
