import { createHash } from 'node:crypto';
import {
  type IndexHit,
  type KeywordQuery,
  type NearestQuery,
  STEM_BOOST,
  type TermsQuery,
  WEAK_BOOST,
} from '../../../ports/search-index.ts';
import { filterQuery, type Query } from './filter-query.ts';
import type { Layout } from './layout.ts';
import { SCORE_FACTOR } from './mapping.ts';
import type { OpenTable } from './table.ts';
import { fitted } from './values.ts';

/** Different terms of a question that are looked at, in each of the two fields: with a filter a query may have 1,024 clauses. */
const MAX_TERMS = 400;
/** Most hits of one search. Source: OpenSearch, index.max_result_window. */
const MAX_HITS = 10_000;
/** Candidates of the graph: with fewer, near rows are missed. */
const MIN_CANDIDATES = 100;

/** A search that takes longer is given up: whoever waits for it is told to come back. */
const SEARCH_MS = 15_000;

export const ROW_FIELDS = ['row_id', 'chunk_id', 'document_id'] as const;

interface RawHit {
  readonly _score: number;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

/** The names of a row, from an answer of the server. */
export const keyOf = ({ fields = {} }: Pick<RawHit, 'fields'>) => ({
  rowId: fields['row_id']?.[0] ?? '',
  chunkId: fields['chunk_id']?.[0] ?? '',
  documentId: fields['document_id']?.[0] ?? '',
});

async function run(
  table: OpenTable,
  query: Query,
  { limit, signal }: Pick<NearestQuery, 'limit' | 'signal'>,
  params: Readonly<Record<string, string>> = {},
): Promise<readonly RawHit[]> {
  const body = {
    size: Math.min(limit, MAX_HITS),
    query,
    _source: false,
    docvalue_fields: ROW_FIELDS,
    track_total_hits: false,
  };
  const { body: answer } = await table.ask({
    method: 'POST',
    path: '/_search',
    // The same question goes to the same copies: others break ties in another order.
    query: {
      allow_partial_search_results: false,
      preference: createHash('sha1').update(JSON.stringify(query)).digest('hex'),
      ...params,
    },
    body,
    timeoutMs: SEARCH_MS,
    signal,
  });
  return answer?.hits?.hits ?? [];
}

/** The nearest rows by cosine. Throws IndexError, and the reason of the signal. */
export async function searchVectors(table: OpenTable, query: NearestQuery): Promise<readonly IndexHit[]> {
  const { vector, limit, filter, signal, mark } = query;
  signal?.throwIfAborted();
  if (vector.length !== table.dimension)
    throw new TypeError(`A vector of ${vector.length} numbers for a table of ${table.dimension}`);
  // It has no direction, and the server refuses it.
  if (vector.every((value) => value === 0)) return [];
  await table.refresh(mark, signal);
  const k = Math.min(MAX_HITS, Math.max(limit, MIN_CANDIDATES));
  // The filter of an alias would only look at the nearest of all tables.
  const own: Query[] = table.place.slot !== null ? [{ term: { table: table.layout.table } }] : [];
  const wanted = [...own, ...(filter === undefined ? [] : [filterQuery(filter)])];
  const knn = {
    vector: Array.from(vector),
    k,
    ...(wanted.length === 0 ? {} : { filter: { bool: { filter: wanted } } }),
  };
  const hits = await run(table, { knn: { vector: knn } }, query);
  // Source: OpenSearch k-NN, the score of cosinesimil is (1 + cosine) / 2.
  return hits.map((hit) => ({ ...keyOf(hit), score: 2 * hit._score - 1 }));
}

/** A clause for each term, which counts as often as it is asked for; weak ones come last. */
function clausesOf(field: string, weight: number, terms: readonly string[], weak: readonly string[] = []): Query[] {
  const boosts = new Map<string, number>();
  const take = (list: readonly string[], boost: number) => {
    for (const term of list) {
      const value = fitted(term);
      const known = boosts.get(value);
      if (known !== undefined || boosts.size < MAX_TERMS) boosts.set(value, (known ?? 0) + boost);
    }
  };
  take(terms, weight);
  take(weak, weight * WEAK_BOOST);
  return [...boosts].map(([value, boost]) => ({ term: { [field]: { value, boost } } }));
}

/** What is asked for rows by words; null where no words are given. */
export function wordsQuery(layout: Layout, { terms, stems, weak, filter }: KeywordQuery): Query | null {
  const should = [
    ...clausesOf(layout.terms, 1, terms, weak?.terms),
    ...clausesOf(layout.stems, STEM_BOOST, stems, weak?.stems),
  ];
  if (should.length === 0) return null;
  const wanted = filter === undefined ? {} : { filter: [filterQuery(filter)] };
  return { bool: { should, minimum_should_match: 1, ...wanted } };
}

/** Whether any row has all of these terms. Throws IndexError, and the reason of the signal. */
export async function hasTerms(table: OpenTable, { terms, filter, signal, mark }: TermsQuery): Promise<boolean> {
  signal?.throwIfAborted();
  if (terms.length === 0) return false;
  await table.refresh(mark, signal);
  const values = [...new Set(terms.map(fitted))].slice(0, MAX_TERMS);
  const wanted = [
    ...values.map((value) => ({ term: { [table.layout.terms]: { value } } })),
    ...(filter === undefined ? [] : [filterQuery(filter)]),
  ];
  return (await run(table, { bool: { filter: wanted } }, { limit: 1, signal }, { terminate_after: '1' })).length > 0;
}

/** The best rows by words. Throws IndexError, and the reason of the signal. */
export async function searchWords(table: OpenTable, query: KeywordQuery): Promise<readonly IndexHit[]> {
  const { signal, mark } = query;
  signal?.throwIfAborted();
  const asked = wordsQuery(table.layout, query);
  if (asked === null) return [];
  await table.refresh(mark, signal);
  // How rare a word is, is counted over all shards, not by each for itself; of one shard the server asks no more for it.
  const hits = await run(table, asked, query, { search_type: 'dfs_query_then_fetch' });
  return hits.map((hit) => ({ ...keyOf(hit), score: hit._score * SCORE_FACTOR }));
}
