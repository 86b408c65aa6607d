import type {
  IngestConfig,
  IngestConfigFields,
  NewCollection,
  Rerank,
  SearchConfig,
} from '@ai-studio/contract/retrieval/collection.ts';
import { isDeepStrictEqual } from 'node:util';
import { PARSER_MODEL } from '@ai-studio/documents';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, quoteId, StudioError } from '../../kernel/errors.ts';
import { modelNamed } from '../../models/aliases.ts';
import { findReranker } from '../../inference/index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { checkParserModel } from './parser-model.ts';
import { chooseEmbedding, type EmbedderChooser, type EmbeddingChoice, presentPrefixes } from '../embedding.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { fieldsOf } from '../search/plan.ts';
import { weightsOf } from '../search/weights.ts';
import type { StoredIngestConfig } from '../tables.ts';

const searchDefaults: SearchConfig = { mode: 'hybrid', alpha: null, fusion: 'weighted', rerank: false };

/**
 * How a new collection is searched where nothing is chosen: without an embedding model by words, as vectors of letters make no search better that
 * words can do. Source: decisions section 5.
 */
export const searchDefaultsFor = ({ embedding_model: model }: Pick<IngestConfig, 'embedding_model'>): SearchConfig =>
  model === LEXICAL_MODEL ? { ...searchDefaults, mode: 'keyword' } : searchDefaults;

const CHUNK_SIZE = 768;
/** Share of a chunk that repeats the one before. Source: architecture section 8. */
const OVERLAP = 0.1;

/** How a new collection cuts where nothing is chosen. */
export const ingestDefaults = {
  chunking_strategy: 'by_title',
  chunk_size: CHUNK_SIZE,
  chunk_overlap: Math.floor(CHUNK_SIZE * OVERLAP),
} as const satisfies Partial<IngestConfig>;

type PartialInput<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The base with the values that are defined in the input. */
function mergeDefined<T extends object>(base: T, given: PartialInput<T> | undefined): T {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(set) };
}

/** Refuses a reranker that is not there: every search would fail. One that was chosen before and is away now may stay. */
function checkRerank(deps: RetrievalDeps, { allowedModels }: Actor, rerank: Rerank): void {
  if (rerank === false) return;
  try {
    findReranker(rerank === true ? null : rerank.model, deps, allowedModels);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw invalidRequest(`search_config.rerank: ${error.message}`, 'search_config.rerank');
  }
}

/** Settings of searches, of a collection with these indexed fields. Throws StudioError `invalid_request`. */
export function searchConfigOf(
  deps: RetrievalDeps,
  actor: Actor,
  given: NewCollection['search_config'],
  { base, fields }: { readonly base: SearchConfig; readonly fields: readonly string[] },
): SearchConfig {
  const config = mergeDefined(base, given);
  if (given?.decay !== undefined || given?.boosts !== undefined)
    weightsOf(config, fieldsOf(new Set(fields)), 'search_config.');
  if (!isDeepStrictEqual(config.rerank, base.rerank)) checkRerank(deps, actor, config.rerank);
  return config;
}

/** The chat model that says where passages stand, by its id; null for none. Throws StudioError `invalid_request`. */
function contextModelOf(
  { catalogue }: Pick<RetrievalDeps, 'catalogue'>,
  allowed: ReadonlySet<string> | null,
  { context_model: wanted }: IngestConfigFields,
): Pick<IngestConfig, 'context_model'> {
  if (wanted == null) return wanted === null ? { context_model: null } : {};
  const id = modelNamed(catalogue, wanted)?.id ?? wanted;
  if (catalogue.get(id)?.kind !== 'chat' || (allowed !== null && !allowed.has(id)))
    throw invalidRequest(`The chat model ${quoteId(wanted)} does not exist`, 'ingest_config.context_model');
  return { context_model: id };
}

function check(config: StoredIngestConfig): StoredIngestConfig {
  if (config.chunk_overlap > config.chunk_size / 2)
    throw invalidRequest(
      `ingest_config.chunk_overlap must be at most half of chunk_size (${config.chunk_size})`,
      'ingest_config.chunk_overlap',
    );
  return { ...config, indexed_fields: [...new Set(config.indexed_fields)] };
}

/** The settings that an embedding is stored by; the lexical one has no prefixes. */
const embeddingFields = ({ model, requestedDimension, prefixes }: EmbeddingChoice) => ({
  embedding_model: model,
  embedding_dimension: requestedDimension,
  ...(model === LEXICAL_MODEL ? {} : { embedding_prefixes: prefixes }),
});

/** The settings by which all of a collection is made anew: with what its model wants before texts by now. */
export function withPresentPrefixes(
  { catalogue }: Pick<RetrievalDeps, 'catalogue'>,
  config: StoredIngestConfig,
): StoredIngestConfig {
  const prefixes = presentPrefixes(catalogue, config.embedding_model);
  return prefixes === null ? config : { ...config, embedding_prefixes: prefixes };
}

/**
 * Settings of a new collection. `embedding_dimension` is the requested one. Throws StudioError `invalid_request`.
 */
export function newIngestConfig(
  deps: RetrievalDeps,
  chooser: EmbedderChooser,
  given: IngestConfigFields = {},
): StoredIngestConfig {
  const size = given.chunk_size ?? CHUNK_SIZE;
  checkParserModel(deps, chooser.allowed, given.parser_model ?? PARSER_MODEL);
  const chosen = chooseEmbedding(deps.catalogue, chooser, {
    model: given.embedding_model,
    dimension: given.embedding_dimension,
  });
  const base: StoredIngestConfig = {
    chunking_strategy: ingestDefaults.chunking_strategy,
    chunk_size: size,
    chunk_overlap: Math.floor(size * OVERLAP),
    ...embeddingFields(chosen),
    pii_mask: false,
    parser_model: PARSER_MODEL,
    indexed_fields: [],
    external_id_field: null,
  };
  const { embedding_model: _model, embedding_dimension: _dimension, ...rest } = given;
  return check({ ...mergeDefined(base, rest), ...contextModelOf(deps, chooser.allowed, given) });
}

/** Settings of a collection after a change. Throws StudioError `invalid_request`. */
export function changedIngestConfig(
  deps: RetrievalDeps,
  { allowedModels }: Actor,
  base: StoredIngestConfig,
  given: IngestConfigFields,
): StoredIngestConfig {
  const { embedding_model: model, embedding_dimension: dimension, ...rest } = given;
  const changed = { ...mergeDefined(base, rest), ...contextModelOf(deps, allowedModels, given) };
  if (changed.parser_model !== base.parser_model) checkParserModel(deps, allowedModels, changed.parser_model);
  // Less of a chunk leaves less to repeat, unless that was said.
  if (given.chunk_size !== undefined && given.chunk_overlap === undefined)
    changed.chunk_overlap = Math.min(changed.chunk_overlap, Math.floor(changed.chunk_size / 2));
  if (model !== undefined || dimension !== undefined) {
    const wanted = model ?? base.embedding_model;
    const requestedDimension =
      dimension === undefined && wanted === base.embedding_model ? base.embedding_dimension : dimension;
    const chooser = { allowed: allowedModels, tenantDefault: null };
    const chosen = chooseEmbedding(deps.catalogue, chooser, { model: wanted, dimension: requestedDimension });
    const isSame = chosen.model === base.embedding_model && chosen.requestedDimension === base.embedding_dimension;
    // What is embedded anew is so with what the model wants by now.
    if (!isSame) {
      const { embedding_prefixes: _before, ...rest } = changed;
      return check({ ...rest, ...embeddingFields(chosen) });
    }
  }
  return check(changed);
}

/** Most names of fields that filters may use, of a collection and its documents together. */
const MAX_FIELDS = 50;

/** Fields that filters may name, with more. Throws StudioError `invalid_request` when there are too many. */
export function withFields(known: readonly string[], more: readonly string[], param: string): string[] {
  const all = [...new Set([...known, ...more])];
  if (all.length > MAX_FIELDS)
    throw invalidRequest(`A collection has at most ${MAX_FIELDS} indexed fields in all`, param);
  return all;
}
