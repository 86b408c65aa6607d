import type { SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import type { Fusion as FusionName, Rerank, SearchMode } from '@ai-studio/contract/retrieval/search-settings.ts';
import type { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { IndexFilter } from '../../ports/search-index.ts';
import { embeddingOf, collectionNotFound, searchableById, type SearchedCollection } from '../collections/rows.ts';
import { LEXICAL_ALPHA, LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { expandQuery, type SynonymSet } from '../synonyms/expand.ts';
import { openSight, type Sight } from '../readers/sight.ts';
import type { Saying } from '../synonyms/numbers.ts';
import type { Expansion } from './expansion.ts';
import { type FilterFields, parseFilters } from './filters.ts';
import { type Weights, weightsOf } from './weights.ts';

/** Weight of vectors of a model, where nobody chose one. */
const MODEL_ALPHA = 0.5;
/** Passages that a reranker is given. */
const RERANKED = 50;

/** What is searched, and how. */
export interface SearchPlan {
  readonly query: string;
  readonly collections: readonly SearchedCollection[];
  readonly mode: SearchMode;
  readonly topK: number;
  readonly alpha: number;
  readonly fusion: FusionName;
  /** Null where no reranker is asked. */
  readonly rerank: { readonly model: string | null; readonly topN: number; readonly candidates: number } | null;
  readonly threshold: number | null;
  readonly filter: IndexFilter | null;
  /** What of the collections is there for whoever searches. */
  readonly sight: Sight;
  readonly highlight: boolean;
  /** Other ways to say what the query says, by which words are looked for as well. */
  readonly sayings: readonly Saying[];
  /** What a chat model said beside the query; null for nothing. */
  readonly expansion: Expansion | null;
  /** What makes passages count more or less; null for nothing. */
  readonly weights: Weights | null;
  /** Tokens of the larger passages that stand for chunks; null where chunks stand for themselves. */
  readonly parentSize: number | null;
  /** Whether passages that say the same are one. */
  readonly collapse: boolean;
  /** Id of a chunk that is no hit; null for none. */
  readonly leavesOut: string | null;
}

/** The query with other queries for the same, by whose words is looked as well. */
export function wordsOf({ query, expansion }: Pick<SearchPlan, 'query' | 'expansion'>): string {
  return expansion?.kind === 'rewrite' ? [query, ...expansion.texts].join('\n') : query;
}

/** Fields of every document. Source: decisions section 5. */
const builtIn = new Set(['document_id', 'document_name', 'created_at', 'page']);

/** What filters and weights may name, of collections that have these indexed fields. */
export const fieldsOf = (fields: ReadonlySet<string>): FilterFields => ({
  has: (field) => builtIn.has(field) || fields.has(field),
  isTime: (field) => field === 'created_at',
});

function rerankOf(wanted: Rerank, topK: number): SearchPlan['rerank'] {
  if (wanted === false) return null;
  const { model = null, top_n: topN = topK } = wanted === true ? {} : wanted;
  return { model, topN: Math.min(topN, topK), candidates: Math.max(RERANKED, topK) };
}

/** The collections that a request names, each once, in its order. Throws StudioError `not_found`. */
export async function searchedCollections(
  { db }: DatabaseDeps,
  actor: Actor,
  { collection_id: one, collection_ids: many = [] }: SearchRequest,
): Promise<SearchedCollection[]> {
  const ids = [...new Set([...(one === undefined ? [] : [one]), ...many])];
  const param = (id: string) => (id === one ? 'collection_id' : `collection_ids[${many.indexOf(id)}]`);
  const found = await searchableById(db.query, actor, ids);
  // Of several that are not there it is always the first that is told of.
  return ids.map((id) => {
    const row = found.get(id);
    if (row === undefined) throw collectionNotFound(id, param(id));
    return row;
  });
}

/** Words that mean the same, beside those that come with the service. */
export interface Synonyms {
  /** Of the tenant, which always count. */
  readonly ofTenant?: readonly SynonymSet[];
  /** What stands in place of what the collections say; what it leaves out is as they say. */
  readonly wanted?: Pick<SearchConfig, 'synonyms' | 'starter_synonyms'>;
}

/**
 * What a request asks for; what it leaves out is as the first collection says. Throws StudioError `invalid_request` for filters
 * that cannot be.
 */
export function planSearch(
  request: SearchRequest,
  collections: readonly SearchedCollection[],
  { ofTenant = [], wanted = {} }: Synonyms = {},
): SearchPlan {
  const defaults = collections[0]?.search_config;
  const fields = new Set(collections.flatMap((one) => one.fields));
  const known = fieldsOf(fields);
  const filter = request.filters === undefined ? null : parseFilters(request.filters, known);
  const weights = weightsOf(
    {
      decay: request.decay === undefined ? defaults?.decay : request.decay,
      boosts: request.boosts ?? defaults?.boosts,
    },
    known,
  );
  const lexical = collections.every((one) => embeddingOf(one).model === LEXICAL_MODEL);
  return {
    query: request.query,
    collections,
    mode: request.search_type ?? defaults?.mode ?? 'hybrid',
    topK: request.top_k,
    alpha: request.alpha ?? defaults?.alpha ?? (lexical ? LEXICAL_ALPHA : MODEL_ALPHA),
    fusion: request.fusion ?? defaults?.fusion ?? 'weighted',
    rerank: rerankOf(request.rerank ?? defaults?.rerank ?? false, request.top_k),
    threshold: request.score_threshold ?? null,
    filter,
    sight: openSight(collections),
    highlight: request.highlight,
    weights,
    parentSize: (request.parent_size === undefined ? defaults?.parent_size : request.parent_size) ?? null,
    collapse: request.collapse_duplicates ?? defaults?.collapse_duplicates ?? false,
    leavesOut: null,
    expansion: null,
    sayings: expandQuery(request.query, {
      sets: [...ofTenant, ...(wanted.synonyms ?? collections.flatMap((one) => one.search_config.synonyms ?? []))],
      // What one of them has been spared, no other brings back.
      starter: wanted.starter_synonyms ?? collections.every((one) => one.search_config.starter_synonyms !== false),
    }),
  };
}
