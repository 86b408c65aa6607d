import type { SearchMode } from '@ai-studio/contract/retrieval/search-settings.ts';
import type { ModelCall } from '../../inference/index.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { EngineError } from '../../ports/engine.ts';
import type { IndexHit } from '../../ports/search-index.ts';
import { analyzeQuery } from '../analyzer/index.ts';
import { embeddingOf, type SearchedCollection } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { embedByModel, type Embedding, type EmbeddingChoice } from '../embedding.ts';
import { embedLexically, LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { readableOnly } from '../readers/sight.ts';
import { lexicalText, weighSayings } from '../synonyms/weigh.ts';
import { fuse, type Ranking } from './fusion.ts';
import { type SearchPlan, wordsOf } from './plan.ts';

/** What the query is as vectors of each model that is needed. */
export interface QueryVectors {
  /** By `vectorKeyOf` of a collection. */
  readonly of: ReadonlyMap<string, Float32Array>;
  /** What the models took. */
  readonly tokens: number;
  /** Models that gave no vector that can be used, for one collection at least. */
  readonly unavailableModels: readonly string[];
  /** Models that read the beginning of the query alone. */
  readonly cutBy: readonly string[];
}

/** Collections of one key have vectors that can be compared. The length is part of it: a model may be replaced by one of another length. */
export const vectorKeyOf = (collection: Parameters<typeof embeddingOf>[0]): string => {
  const { model, requestedDimension, dimension, prefixes } = embeddingOf(collection);
  return JSON.stringify([model, requestedDimension, dimension, prefixes.query]);
};

/** The vector that a collection is searched by; undefined where there is none. */
export const vectorFor = ({ of }: QueryVectors, collection: SearchedCollection): Float32Array | undefined =>
  of.get(vectorKeyOf(collection));

/** Whether the index has anything of the collection. */
const isSearched = ({ index_state: state }: SearchedCollection) => state !== 'none';

/** The mean of the directions of vectors, which all have one length. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / length / vectors.length;
  }
  return mean;
}

/** The query as a vector of a model, and what that took; null where a hybrid search must do without. Rejects as `embedByModel`. */
async function vectorOf(
  deps: RetrievalDeps,
  call: ModelCall,
  plan: SearchPlan,
  embedding: EmbeddingChoice,
): Promise<Embedding | null> {
  const { query, mode, sayings, expansion } = plan;
  if (embedding.model === LEXICAL_MODEL) {
    call.meter({ model: LEXICAL_MODEL, engine: null });
    // Like words are all that it knows, so those that mean the same are given to it.
    const said = lexicalText([query, ...(expansion?.texts ?? [])].join(' '), sayings);
    return { vectors: [embedLexically(said)], tokens: 0, truncated: [], tooLong: [] };
  }
  try {
    const how = { as: 'query', truncate: true, totalMs: deps.queryTimeoutMs } as const;
    if (expansion === null) return await embedByModel(deps, call, embedding, [query], how);
    const { kind, texts } = expansion;
    const asked = await embedByModel(deps, call, embedding, kind === 'hyde' ? [query] : [query, ...texts], how);
    if (kind === 'rewrite') return { ...asked, vectors: [meanOf(asked.vectors)] };
    const passage = await embedByModel(deps, call, embedding, texts, { ...how, as: 'passage' });
    const vectors = [meanOf([...asked.vectors, ...passage.vectors])];
    return { ...asked, vectors, tokens: asked.tokens + passage.tokens };
  } catch (error) {
    const isAway = error instanceof EngineError && error.kind === 'unavailable';
    if (!isAway || mode !== 'hybrid') throw error;
    const { requestId } = call.details;
    deps.log.warn(
      { requestId, model: embedding.model, reason: error.message },
      'embedding model unavailable; search without vectors',
    );
    return null;
  }
}

/**
 * Asks each model once for each length of vectors, and meters it; a hybrid search goes without those that give none that can be used. Rejects with EngineError, and the reason of
 * the signal. `known`: vectors that are there already, by `vectorKeyOf` of a collection.
 */
export async function embedQuery(
  deps: RetrievalDeps,
  call: ModelCall,
  plan: SearchPlan,
  known: ReadonlyMap<string, Float32Array> = new Map(),
): Promise<QueryVectors> {
  const { collections, mode } = plan;
  const of = new Map(known);
  const unavailableModels = new Set<string>();
  const cutBy = new Set<string>();
  if (mode === 'keyword') return { of, tokens: 0, unavailableModels: [], cutBy: [] };
  const byKey = new Map(
    collections
      .filter((one) => isSearched(one) && !known.has(vectorKeyOf(one)))
      .map((one) => [vectorKeyOf(one), embeddingOf(one)]),
  );
  const took = await Promise.all(
    [...byKey].map(async ([key, embedding]) => {
      const made = await vectorOf(deps, call, plan, embedding);
      const vector = made?.vectors[0];
      if (made && made.truncated.length > 0) cutBy.add(embedding.model);
      if (vector === undefined) unavailableModels.add(embedding.model);
      else of.set(key, vector);
      return made?.tokens ?? 0;
    }),
  );
  return {
    of,
    tokens: took.reduce((sum, tokens) => sum + tokens, 0),
    unavailableModels: [...unavailableModels],
    cutBy: [...cutBy],
  };
}

/** The other ways to say the query, weighed by what the collections have. Rejects with IndexError, and the reason of the signal. */
export function weighPlan(
  { index }: RetrievalDeps,
  { signal }: CallContext,
  { sayings, filter, sight, collections }: SearchPlan,
): Promise<SearchPlan['sayings']> {
  const hasIn = (terms: readonly string[], { id, index_table: table, index_version: mark }: SearchedCollection) =>
    index.has(table, { terms, signal, mark, filter: readableOnly(filter, sight, id) ?? undefined });
  return weighSayings(sayings, async (terms) => {
    const found = await Promise.all(collections.filter(isSearched).map((collection) => hasIn(terms, collection)));
    return found.includes(true);
  });
}

/** A row that was found, with what each ranking says of it. */
export interface Candidate extends Pick<IndexHit, 'rowId'> {
  readonly score: number;
  readonly vector: number | undefined;
  readonly keyword: number | undefined;
  /** What the score was multiplied by, where it was. */
  readonly weight?: number | undefined;
}

interface Found {
  readonly nearest: readonly IndexHit[];
  readonly keyword: readonly IndexHit[];
}

async function searchOne(
  { index }: RetrievalDeps,
  { signal }: CallContext,
  plan: SearchPlan,
  collection: SearchedCollection,
  { vector, limit }: { readonly vector: Float32Array | undefined; readonly limit: number },
): Promise<Found> {
  const { mode, sayings } = plan;
  const filter = readableOnly(plan.filter, plan.sight, collection.id);
  const { index_table: table, index_version: mark } = collection;
  const common = { limit, signal, mark, ...(filter === null ? {} : { filter }) };
  const words = analyzeQuery(wordsOf(plan), sayings);
  const saysNothing = words.terms.length + words.stems.length === 0 && words.weak === undefined;
  const wanted = (ranking: SearchMode) => mode === ranking || mode === 'hybrid';
  const [nearest, keyword] = await Promise.all([
    wanted('vector') && vector !== undefined ? index.nearest(table, { ...common, vector }) : [],
    wanted('keyword') && !saysNothing ? index.keyword(table, { ...common, ...words }) : [],
  ]);
  return { nearest, keyword };
}

const rankingOf = (hits: readonly IndexHit[]): Ranking => hits.map(({ rowId: id, score }) => ({ id, score }));

/** The best score of each row; a row may stand in a table twice while it is made anew. */
function scoresOf(hits: readonly IndexHit[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { rowId, score } of hits) scores.set(rowId, Math.max(score, scores.get(rowId) ?? -Infinity));
  return scores;
}

/** Hits of several tables as those of one: scores of one model, and of words, can be compared. */
const byScore = (lists: readonly (readonly IndexHit[])[]): IndexHit[] =>
  lists.flat().sort((a, b) => b.score - a.score || (a.rowId < b.rowId ? -1 : 1));

function fuseHits(
  { mode, alpha, fusion, collections }: SearchPlan,
  found: readonly Found[],
): readonly Ranking[number][] {
  const words = rankingOf(byScore(found.map(({ keyword }) => keyword)));
  if (mode === 'keyword') return words;
  // Vectors of different models cannot be compared: each counts by its own best.
  const groups = Map.groupBy(found, (_, at) => {
    const collection = collections[at];
    return collection === undefined ? '' : vectorKeyOf(collection);
  });
  const near = [...groups.values()].map((group) => rankingOf(byScore(group.map(({ nearest }) => nearest))));
  if (mode === 'vector' && near.length <= 1) return near[0] ?? [];
  const kind = fusion === 'rrf' ? 'reciprocal' : 'weighted';
  if (near.length <= 1) return fuse(near[0] ?? [], words, { kind, alpha });
  const spread = near.flatMap((ranking) => fuse(ranking, [], { kind, alpha: 1 }));
  const one = spread.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return mode === 'vector' ? one : fuse(one, words, { kind, alpha });
}

export interface Candidates {
  /** Best first, each row once. */
  readonly list: readonly Candidate[];
  /** Whether a ranking may have more than were requested. */
  readonly mayHaveMore: boolean;
}

/** Asks the index of each collection, and joins what its legs say. Rejects with IndexError, and the reason of the signal. */
export async function findCandidates(
  deps: RetrievalDeps,
  ctx: CallContext,
  plan: SearchPlan,
  vectors: QueryVectors,
  limit: number,
): Promise<Candidates> {
  const found = await Promise.all(
    plan.collections.map(async (collection) =>
      isSearched(collection)
        ? await searchOne(deps, ctx, plan, collection, { vector: vectorFor(vectors, collection), limit })
        : { nearest: [], keyword: [] },
    ),
  );
  const nearest = found.flatMap((one) => one.nearest);
  const keyword = found.flatMap((one) => one.keyword);
  const [nearScores, wordScores] = [scoresOf(nearest), scoresOf(keyword)];
  const list = new Map<string, Candidate>();
  for (const { id, score } of fuseHits(plan, found))
    if (!list.has(id)) list.set(id, { rowId: id, score, vector: nearScores.get(id), keyword: wordScores.get(id) });
  return {
    list: [...list.values()],
    mayHaveMore: found.some((one) => one.nearest.length >= limit || one.keyword.length >= limit),
  };
}
