import type { SearchRequest, SearchResult, SearchUsage } from '@ai-studio/contract/retrieval/search.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { EngineError } from '../../ports/engine.ts';
import { IndexError } from '../../ports/search-index.ts';
import { asModelUnavailable, findReranker, type ModelCall, rerankWith } from '../../inference/index.ts';
import { readSettings } from '../../identity/index.ts';
import { embeddingOf } from '../collections/rows.ts';
import { asEngineError } from '../embedding.ts';
import { openModelCall } from '../call.ts';
import type { RetrievalDeps } from '../deps.ts';
import { sightOf } from '../readers/sight.ts';
import { embeddedText } from '../texts/embedded-text.ts';
import { asStudioError, markTableLost } from '../writing/table.ts';
import { embedQuery, vectorFor, weighPlan } from './candidates.ts';
import { collect, CollectionChanged } from './collect.ts';
import { type Expanded, expandByModel, type Expansion } from './expansion.ts';
import { hitsOf, type Ranked } from './hits.ts';
import { planSearch, searchedCollections, type SearchPlan, type Synonyms } from './plan.ts';
import { weighed } from './weights.ts';

/** Attempts of a search whose collection changes meanwhile; the last one answers with what it found. */
const ATTEMPTS = 4;
/** How long a search waits for an index that is made anew. */
const REBUILD_TIMEOUT_MS = 10_000;
const REBUILD_POLL_MS = 50;

interface Reranked {
  readonly ranked: readonly Ranked[];
  /** What the model took; null where none was asked, or it was away. */
  readonly tokens: number | null;
  /** The model, where it was away. */
  readonly unavailable: string | null;
}

/**
 * The passages as the reranker orders them; as they were found, whatever their score, where it is away. Throws StudioError
 * `invalid_request`, EngineError `refused`, and the reason of the signal.
 */
async function applyReranker(
  deps: RetrievalDeps,
  call: ModelCall,
  plan: SearchPlan,
  found: readonly Ranked[],
): Promise<Reranked> {
  if (plan.rerank === null) return { ranked: found, tokens: null, unavailable: null };
  const { topN } = plan.rerank;
  const { actor, requestId } = call.details;
  const model = findReranker(plan.rerank.model, deps, actor.allowedModels);
  const texts = found.map(({ passage }) => embeddedText(passage));
  // Asked also where nothing was found, so that a model that is not there is always refused.
  const request = { query: plan.query, documents: texts.length === 0 ? [plan.query] : texts };
  let reranked;
  try {
    reranked = await rerankWith(call, model, request, { totalMs: deps.rerankTimeoutMs });
  } catch (thrown) {
    const error = asModelUnavailable(asEngineError(thrown), `reranking model ${model.id}`);
    if (!(error instanceof EngineError) || error.kind !== 'unavailable') throw error;
    const about = { requestId, model: model.id, reason: error.message };
    deps.log.warn(about, 'reranking model unavailable; passages stay in the order in which they were found');
    return { ranked: found.slice(0, topN), tokens: null, unavailable: model.id };
  }
  const best = reranked.ranked
    .flatMap(({ index, score }) => {
      const one = found[index];
      if (one === undefined) return [];
      const { weight } = one.candidate;
      return [{ ...one, score: weight === undefined ? score : weighed(score, weight), rerank: score }];
    })
    .filter(({ score }) => plan.threshold === null || score >= plan.threshold);
  if (plan.weights !== null) best.sort((a, b) => b.score - a.score);
  return { ranked: best.slice(0, topN), tokens: reranked.promptTokens, unavailable: null };
}

/** What is searched for. */
export interface SearchWish {
  readonly request: SearchRequest;
  /** What of the plan of the request is otherwise. */
  readonly change?: Partial<SearchPlan>;
  /** Words that mean the same, in place of those of the collections; as they say where left out. */
  readonly synonyms?: Synonyms['wanted'];
  /** Vectors that are there already, by `vectorKeyOf`. */
  readonly vectors?: (plan: SearchPlan) => Promise<ReadonlyMap<string, Float32Array>>;
  /** What a chat model said beside the query. */
  readonly expanded?: Expanded;
}

const notExpanded: Expanded = { expansion: null, unavailable: null };
const pickSaid = ({ kind, model }: Expansion) => ({ kind, model });

/** Waits until the tables of all collections are there. Throws StudioError `unavailable`. */
async function planWhenReady(
  deps: RetrievalDeps,
  ctx: CallContext,
  { request, change, synonyms: wanted = {} }: SearchWish,
): Promise<SearchPlan> {
  const deadline = deps.now() + REBUILD_TIMEOUT_MS;
  for (;;) {
    const [collections, { synonyms: ofTenant }] = await Promise.all([
      searchedCollections(deps, ctx.actor, request),
      readSettings(deps, ctx.actor.tenantId),
    ]);
    const sight = await sightOf(deps, ctx.actor, collections);
    const plan = { ...planSearch(request, collections, { ofTenant, wanted }), sight, ...change };
    if (collections.every(({ index_state: state }) => state !== 'rebuilding')) return plan;
    if (deps.now() > deadline)
      throw new StudioError('unavailable', 'The index of the collection was lost and is being made anew; try again', {
        retryAfterSeconds: 10,
      });
    await sleep(REBUILD_POLL_MS);
    ctx.signal.throwIfAborted();
  }
}

/** What a search found, and what it took. */
export interface Searched {
  readonly result: SearchResult;
  readonly usage: SearchUsage;
}

/** Name under which searches without any model are metered. */
const NO_MODEL = 'keyword';

async function searchOnce(
  deps: RetrievalDeps,
  ctx: CallContext,
  call: ModelCall,
  wish: SearchWish,
  mustAnswer: boolean,
): Promise<Searched> {
  const asked = await planWhenReady(deps, ctx, wish);
  const { expansion, unavailable: silent } = wish.expanded ?? notExpanded;
  const sayings = await weighPlan(deps, ctx, asked);
  const wanted = { ...asked, sayings, ...(expansion === null || expansion.texts.length === 0 ? {} : { expansion }) };
  const vectors = await embedQuery(deps, call, wanted, await wish.vectors?.(wanted));
  const { unavailableModels } = vectors;
  // Without any vector the keyword scores get the full weight.
  const plan = unavailableModels.length > 0 && vectors.of.size === 0 ? { ...wanted, alpha: 0 } : wanted;
  const found = await collect(deps, ctx, plan, vectors, mustAnswer);
  const { ranked, tokens, unavailable } = await applyReranker(deps, call, plan, found);
  const hits = await hitsOf(deps.db, ranked.slice(0, plan.topK), plan);
  const models = new Set(
    plan.collections.flatMap((one) => {
      const { model } = embeddingOf(one);
      return unavailableModels.includes(model) && vectorFor(vectors, one) === undefined ? [] : [model];
    }),
  );
  if (call.model === null) call.meter({ model: NO_MODEL, engine: null });
  return {
    result: {
      query: plan.query,
      search_type: plan.mode,
      embedding_model: plan.mode === 'keyword' || models.size === 0 ? null : [...models].join(', '),
      ...(unavailableModels.length === 0 ? {} : { embedding_unavailable: [...unavailableModels] }),
      ...(vectors.cutBy.length === 0 ? {} : { query_cut_by: [...vectors.cutBy] }),
      ...(unavailable === null ? {} : { rerank_unavailable: unavailable }),
      ...(wanted.expansion === null
        ? {}
        : { query_expansion: { ...pickSaid(wanted.expansion), texts: [...wanted.expansion.texts] } }),
      ...(silent === null ? {} : { query_expansion_unavailable: silent }),
      hits,
      total: hits.length,
    },
    usage: {
      embedding_tokens: vectors.tokens,
      ...(tokens === null ? {} : { rerank_tokens: tokens }),
      ...(expansion === null ? {} : { expansion_tokens: expansion.tokens }),
      total_tokens: vectors.tokens + (tokens ?? 0) + (expansion?.tokens ?? 0),
    },
  };
}

/**
 * Finds the passages that fit a query best. Sees all committed writes, and no partial ones. Throws StudioError `not_found`,
 * `invalid_request`, `unavailable`, and EngineError of the models it asks.
 */
export async function search(deps: RetrievalDeps, ctx: CallContext, request: SearchRequest): Promise<Searched> {
  const { query, query_expansion: wanted } = request;
  if (wanted === undefined) return searchFor(deps, ctx, { request });
  // What is wrong with the rest is told before a model is asked, which is asked once, however often the search is begun anew.
  await checkSearch(deps, ctx.actor, request);
  return searchFor(deps, ctx, { request, expanded: await expandByModel(deps, ctx, query, wanted) });
}

/** The same, of a wish that a request cannot say. Rejects as {@link search}. */
export async function searchFor(deps: RetrievalDeps, ctx: CallContext, wish: SearchWish): Promise<Searched> {
  for (let attempt = 1; ; attempt++) {
    try {
      const call = openModelCall(deps, ctx, 'search');
      return await call.deferMetering(() => searchOnce(deps, ctx, call, wish, attempt >= ATTEMPTS));
    } catch (error) {
      if (error instanceof IndexError && error.kind === 'lost') {
        const collectionId = await ownerOf(deps, error.table);
        if (collectionId !== null) await markTableLost(deps, collectionId, error.table);
      } else if (!(error instanceof CollectionChanged)) throw asStudioError(error);
      if (attempt >= ATTEMPTS)
        throw new StudioError('unavailable', 'The index of the collection was lost; try again', {
          retryAfterSeconds: 1,
          cause: error,
        });
    }
  }
}

/** Checks what a search would be refused for, without searching. Rejects as {@link search} with StudioError `not_found`, `invalid_request`. */
export async function checkSearch(
  deps: RetrievalDeps,
  actor: CallContext['actor'],
  request: SearchRequest,
): Promise<void> {
  planSearch(request, await searchedCollections(deps, actor, request));
}

async function ownerOf({ db }: RetrievalDeps, table: string): Promise<string | null> {
  const row = await db.query.selectFrom('collections').select('id').where('index_table', '=', table).executeTakeFirst();
  return row?.id ?? null;
}
