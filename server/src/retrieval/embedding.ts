import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { asModelUnavailable, embedWith, measureTexts, type ModelCall } from '../inference/index.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { modelNamed } from '../models/aliases.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { LEXICAL_EMBEDDER } from '../models/defaults.ts';
import { type Prefixes, prefixesOf, saysPrefixes } from '../models/embedders.ts';
import { EngineError, type TooLong } from '../ports/engine.ts';
import type { RetrievalDeps } from './deps.ts';
import { LEXICAL_DIMENSION, LEXICAL_MODEL } from './lexical-embedder/index.ts';
import { storedLengths } from './stored-vector.ts';

const usableModels = (catalogue: Catalogue, allowed: ReadonlySet<string> | null) =>
  catalogue
    .list()
    .filter(({ id, kind }) => kind === 'embedding' && id !== LEXICAL_EMBEDDER && (allowed === null || allowed.has(id)));

/** Who asks for an embedding model: what may be used, and what is used where nothing is said. */
export interface EmbedderChooser {
  /** Null for all. */
  readonly allowed: ReadonlySet<string> | null;
  /** The one that the tenant chose; null where it chose none. */
  readonly tenantDefault: string | null;
}

/**
 * The model of collections that name none: what the tenant chose, else the default embedder of the service, else the only one that there
 * is, or the one that needs none. Null where several could be meant: a person is asked.
 */
function defaultModel(catalogue: Catalogue, { allowed, tenantDefault }: EmbedderChooser): string | null {
  const models = usableModels(catalogue, allowed);
  if (tenantDefault !== null && (tenantDefault === LEXICAL_MODEL || models.some(({ id }) => id === tenantDefault)))
    return tenantDefault;
  const configured = models.find(({ id }) => id === catalogue.defaultEmbedder);
  if (configured) return configured.id;
  if (models.length > 1) return null;
  return models[0]?.id ?? LEXICAL_MODEL;
}

/** What the form of a new collection offers. */
export interface EmbedderOffer {
  /** Embedding models, the default one first. */
  readonly models: readonly string[];
  /** Null where none is the default. */
  readonly standard: string | null;
}

/** The embedding models that a new collection may have. */
export function embeddingModelsFor(catalogue: Catalogue, chooser: EmbedderChooser): EmbedderOffer {
  const standard = defaultModel(catalogue, chooser);
  const all = usableModels(catalogue, chooser.allowed).map(({ id }) => id);
  return { standard, models: [...new Set([...(standard === null ? [] : [standard]), ...all, LEXICAL_MODEL])] };
}

/** The embedding model of a collection. */
export interface EmbeddingChoice {
  readonly model: string;
  /** Dimension that is requested from the model; null leaves it to the model. */
  readonly requestedDimension: number | null;
  /** Length of the vectors of the collection; null until the first is made. */
  readonly dimension: number | null;
  /** What stands before its texts for the model: queries must fit what its passages were embedded with, whatever the model wants by now. */
  readonly prefixes: Prefixes;
}

export const noPrefixes: Prefixes = { query: '', passage: '' };

/**
 * What a model of the catalogue wants before its texts; null where nobody says, as for one that is not there, or whose server, by which its name is
 * known, is gone for the moment: nothing is embedded anew for that.
 */
export function presentPrefixes(catalogue: Catalogue, model: string): Prefixes | null {
  const known = catalogue.get(model);
  return known?.kind === 'embedding' && known.unusable !== true && saysPrefixes(known) ? prefixesOf(known) : null;
}

export const samePrefixes = (a: Prefixes, b: Prefixes): boolean => a.query === b.query && a.passage === b.passage;

const HASH_LENGTH = 16;

/** By what vectors of passages are told apart: the model, and what stood before the passages, if anything. */
export function vectorModel({ model, prefixes: { passage } }: Pick<EmbeddingChoice, 'model' | 'prefixes'>): string {
  if (passage === '') return model;
  return `${model}#${createHash('sha256').update(passage).digest('hex').slice(0, HASH_LENGTH)}`;
}

/** Whether a row of chunk_vectors is of this embedding: by its model, and by its length where that is known. */
export const isVectorOf = (embedding: EmbeddingChoice) =>
  embedding.dimension === null
    ? sql<boolean>`chunk_vectors.model = ${vectorModel(embedding)}`
    : sql<boolean>`chunk_vectors.model = ${vectorModel(embedding)} AND octet_length(chunk_vectors.vector) IN (${sql.join(storedLengths(embedding.dimension))})`;

/** What a collection embeds with. Throws StudioError `invalid_request` for a model that is not there, or not the key's to use. */
export function chooseEmbedding(
  catalogue: Catalogue,
  chooser: EmbedderChooser,
  { model, dimension }: { readonly model: string | undefined; readonly dimension: number | null | undefined },
): EmbeddingChoice {
  // A collection is kept under the id: an alias may mean another model later.
  const wanted =
    model === undefined
      ? // Whom nobody can ask gets what needs no model.
        (defaultModel(catalogue, chooser) ?? LEXICAL_MODEL)
      : (modelNamed(catalogue, model)?.id ?? model);
  if (wanted === LEXICAL_MODEL || wanted === LEXICAL_EMBEDDER) {
    if (dimension != null && dimension !== LEXICAL_DIMENSION)
      throw invalidRequest(
        `The vectors of ${LEXICAL_MODEL} have ${LEXICAL_DIMENSION} numbers; leave embedding_dimension out`,
        'ingest_config.embedding_dimension',
      );
    return { model: LEXICAL_MODEL, requestedDimension: null, dimension: LEXICAL_DIMENSION, prefixes: noPrefixes };
  }
  const models = usableModels(catalogue, chooser.allowed);
  if (!models.some(({ id }) => id === wanted))
    throw invalidRequest(
      `The embedding model ${quoteId(wanted)} does not exist; use one of: ${[LEXICAL_MODEL, ...models.map(({ id }) => id)].join(', ')}`,
      'ingest_config.embedding_model',
    );
  const prefixes = presentPrefixes(catalogue, wanted) ?? noPrefixes;
  return { model: wanted, requestedDimension: dimension ?? null, dimension: dimension ?? null, prefixes };
}

/** Vectors of texts, in order. */
export interface Embedding {
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
  /** Places of the texts that were cut, as the model does not read them whole. */
  readonly truncated: readonly number[];
  /** Of each of these: its tokens and the limit, as far as they were told. */
  readonly tooLong: readonly TooLong[];
}

/** What texts are to a model, and what becomes of those that it does not read whole. */
export interface EmbedHow {
  readonly as: 'query' | 'passage';
  /** They are cut at their end; else they are refused. */
  readonly truncate: boolean;
  /** Time for all of them in milliseconds; that of all calls when left out. */
  readonly totalMs?: number;
}

/** What the refusal of a text that is too long advises. */
const ADVICE =
  'Shorten the text or split it, or choose another ingest_config.embedding_model; models.NAME.embedding.max_tokens of the configuration says how much a model reads';

const asFloats = (vector: readonly number[] | Float32Array) =>
  vector instanceof Float32Array ? vector : Float32Array.from(vector);

/** The model of a collection. Throws EngineError `unavailable`. */
function requireModel(catalogue: Catalogue, model: string) {
  // The vectors of a model that was taken away from the catalogue are as good as ever, but no more can be made.
  const known = catalogue.get(model);
  if (known?.kind !== 'embedding')
    throw new EngineError('unavailable', `no embedding model ${model}`, {
      detail: `The embedding model ${model} of the collection is not in the catalogue any more`,
    });
  return known;
}

/** A model that no engine is configured for is away, as one whose engine does not answer. */
export const asEngineError = (error: unknown) =>
  error instanceof StudioError && error.code === 'unavailable'
    ? new EngineError('unavailable', error.message, { detail: error.message, cause: error })
    : error;

/**
 * Asks the model of a collection for vectors, whatever models the actor may use; it is metered.
 * Rejects with EngineError: `refused` for the texts, `unavailable` with a time to wait for all else (see `isUnusableReply`); and with the
 * reason of the signal.
 */
export async function embedByModel(
  { catalogue }: RetrievalDeps,
  call: ModelCall,
  { model, requestedDimension, dimension, prefixes }: EmbeddingChoice,
  texts: readonly string[],
  { as, truncate, totalMs }: EmbedHow,
): Promise<Embedding> {
  try {
    const { vectors, promptTokens, truncated, tooLong } = await embedWith(call, requireModel(catalogue, model), texts, {
      dimensions: requestedDimension,
      length: dimension,
      prefix: prefixes[as],
      truncate,
      advice: ADVICE,
      ...(totalMs === undefined ? {} : { totalMs }),
    });
    return { vectors: vectors.map(asFloats), tokens: promptTokens, truncated, tooLong };
  } catch (error) {
    throw asModelUnavailable(asEngineError(error), `embedding model ${model}`);
  }
}

/**
 * The tokens that the model of a collection reads, and those of texts by its own tokenizer; null each where nobody says. Texts are counted with
 * the words that stand before passages. Rejects as {@link embedByModel}.
 */
export async function measureByModel(
  { catalogue }: RetrievalDeps,
  call: ModelCall,
  { model, prefixes }: EmbeddingChoice,
  passages: readonly string[],
) {
  try {
    const texts = passages.map((text) => prefixes.passage + text);
    return await measureTexts(call, requireModel(catalogue, model), texts);
  } catch (error) {
    throw asModelUnavailable(asEngineError(error), `embedding model ${model}`);
  }
}

/** Whether a model answered with something that is no vectors, or none that can be used. */
export const isUnusableReply = ({ cause }: EngineError): boolean =>
  cause instanceof EngineError && cause.kind === 'protocol';
