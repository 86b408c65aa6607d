import type { Query, VectorQuery } from '@lancedb/lancedb';
import type { IndexHit, KeywordQuery, NearestQuery } from '../../../ports/search-index.ts';
import type { Lance } from './engine.ts';
import { filterSql } from './filter-sql.ts';
import type { OpenTable } from './table.ts';

/** Parts of the vectors that are looked at. With 50 of a million rows two of a hundred near ones were missed, with 100 none. */
const PROBES = 100;
/** Candidates are compared exactly: these many, or twice the hits that are wanted. */
const FEWEST_CANDIDATES = 200;
const REFINE = 2;
/**
 * Under a filter the nearest rows are far away and about as far as others, which the short forms of vectors tell badly apart: with
 * 100 candidates of a hundredth of the rows a quarter was missed, with 1,000 none.
 */
const FEWEST_UNDER_FILTER = 1_000;

/** Whole words beside pairs of syllables. Source: architecture, section 6. */
const STEM_BOOST = 0.5;

/** Terms of a question that are looked at; more say no more, and each costs. */
const MOST_TERMS = 512;

const names = ['row_id', 'chunk_id', 'document_id'] as const;

interface Columns {
  readonly numRows: number;
  getChild(name: string): { get(at: number): unknown } | null;
}

/** Hits of an answer. A row that was added twice counts once. */
function hitsOf(answer: Columns, score: string, toScore: (value: number) => number, limit: number): IndexHit[] {
  const column = (name: string) => answer.getChild(name);
  const [rowIds, chunkIds, documentIds] = names.map(column);
  const scores = column(score);
  const hits = new Map<string, IndexHit>();
  for (let at = 0; at < answer.numRows; at++) {
    const rowId = String(rowIds?.get(at));
    if (hits.has(rowId)) continue;
    const points = toScore(Number(scores?.get(at)));
    hits.set(rowId, {
      rowId,
      chunkId: String(chunkIds?.get(at)),
      documentId: String(documentIds?.get(at)),
      score: points,
    });
  }
  return [...hits.values()].slice(0, limit);
}

/** The answer of the engine, or the reason of the signal as soon as there is one; the engine itself can't be stopped. */
async function answerOf(query: Query | VectorQuery, signal: AbortSignal | undefined): Promise<Columns> {
  const answer = query.toArrow();
  if (signal === undefined) return answer;
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answer, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    // Nobody waits for one that is too late.
    answer.catch(() => undefined);
  }
}

/** The nearest rows by cosine. Throws IndexError, and the reason of the signal. */
export async function searchVectors(table: OpenTable, query: NearestQuery): Promise<readonly IndexHit[]> {
  const { vector, limit, filter, signal, mark } = query;
  signal?.throwIfAborted();
  if (vector.length !== table.dimension)
    throw new TypeError(`A vector of ${vector.length} numbers for a table of ${table.dimension}`);
  await table.refresh(mark);
  return table.read(async () => {
    const search = table.handle
      .query()
      .nearestTo(vector)
      .column('vector')
      .distanceType('cosine')
      .select([...names, '_distance'])
      .limit(limit)
      .refineFactor(
        Math.max(REFINE, Math.ceil((filter === undefined ? FEWEST_CANDIDATES : FEWEST_UNDER_FILTER) / limit)),
      );
    if (filter === undefined) search.nprobes(PROBES);
    // No upper bound: parts are looked at until there are enough hits.
    else search.maximumNprobes(0).minimumNprobes(PROBES).where(filterSql(filter));
    return hitsOf(await answerOf(search, signal), '_distance', (distance) => 1 - distance, limit);
  });
}

/** The best rows by words. Throws IndexError, and the reason of the signal. */
export async function searchWords(lance: Lance, table: OpenTable, query: KeywordQuery): Promise<readonly IndexHit[]> {
  const { limit, filter, signal, mark } = query;
  signal?.throwIfAborted();
  const { BooleanQuery, MatchQuery, Occur } = lance;
  const fields = [
    { column: 'terms', words: query.terms, boost: 1 },
    { column: 'stems', words: query.stems, boost: STEM_BOOST },
  ]
    .filter(({ words }) => words.length > 0)
    .map(({ column, words, boost }) => new MatchQuery(words.slice(0, MOST_TERMS).join(' '), column, { boost }));
  const [first] = fields;
  if (first === undefined) return [];
  await table.refresh(mark);
  return table.read(async () => {
    const words = fields.length === 1 ? first : new BooleanQuery(fields.map((field) => [Occur.Should, field]));
    const search = table.handle
      .query()
      .fullTextSearch(words)
      .select([...names, '_score'])
      .limit(limit);
    if (filter !== undefined) search.where(filterSql(filter));
    return hitsOf(await answerOf(search, signal), '_score', (points) => points, limit);
  });
}
