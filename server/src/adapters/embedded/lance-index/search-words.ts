import type { FullTextQuery, MatchQuery } from '@lancedb/lancedb';
import {
  type IndexHit,
  type KeywordQuery,
  type SoughtWords,
  STEM_BOOST,
  type TermsQuery,
  WEAK_BOOST,
} from '../../../ports/search-index.ts';
import type { Lance } from './engine.ts';
import { filterSql, oneOf } from './filter-sql.ts';
import { runQuery, hitsOf, ROW_COLUMN } from './hits.ts';
import type { OpenTable } from './table.ts';

// A row's score is the sum of its term score and its weighted stem score. The engine computes both for every row that has any of the words,
// while it finds the best rows of one column by looking at few. So the columns are searched one by one and merged here, by the threshold
// algorithm (Fagin, Lotem, Naor, PODS 2001): the result is the same, in a quarter of the time with a million rows.

/** Terms of a question that are looked at; more say no more, and each costs. */
const MAX_TERMS = 512;

/** Rows asked of a column for each hit that is wanted, and at least. With fewer the columns have too few rows in common. */
const ROWS_PER_HIT = 8;
const MIN_ROWS = 200;

const NO_WORDS: SoughtWords = { terms: [], stems: [] };

interface ColumnHits {
  readonly hits: readonly IndexHit[];
  /** Whether there may be more rows that have a word. */
  readonly more: boolean;
}

/** Searches one column for its best rows, among all rows or only those of `rowIds`. */
type SearchColumn = (words: FullTextQuery, limit: number, rowIds?: readonly string[]) => Promise<ColumnHits>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Merges the columns' best rows. Returns undefined when a row that no column returned could be among the best. */
async function mergeColumns(
  columns: readonly MatchQuery[],
  limit: number,
  searchColumn: SearchColumn,
): Promise<IndexHit[] | undefined> {
  const depth = Math.max(MIN_ROWS, ROWS_PER_HIT * limit);
  const best = await Promise.all(columns.map((words) => searchColumn(words, depth)));
  const hits = new Map(best.flatMap((column) => column.hits.map((hit) => [hit.rowId, hit])));
  const scores = best.map((column) => new Map(column.hits.map(({ rowId, score }) => [rowId, score])));
  /** Upper bound of a row's score in each column that did not return it. */
  const upperBounds = best.map((column) => (column.more ? (column.hits.at(-1)?.score ?? 0) : 0));
  const lowerBound = (rowId: string) => sum(scores.map((column) => column.get(rowId) ?? 0));
  const upperBound = (rowId: string) => sum(scores.map((column, at) => column.get(rowId) ?? upperBounds[at] ?? 0));
  const kthScore = () => [...hits.keys()].map(lowerBound).toSorted((a, b) => b - a)[limit - 1] ?? 0;

  const enough = kthScore();
  await Promise.all(
    columns.map(async (words, at) => {
      if (upperBounds[at] === 0) return;
      const missing = [...hits.keys()].filter((rowId) => !scores[at]?.has(rowId) && upperBound(rowId) >= enough);
      if (missing.length === 0) return;
      const found = await searchColumn(words, missing.length, missing);
      for (const { rowId, score } of found.hits) scores[at]?.set(rowId, score);
    }),
  );
  if (kthScore() < sum(upperBounds)) return undefined;
  return [...hits.values()]
    .map((hit) => ({ ...hit, score: lowerBound(hit.rowId) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** The best rows by words. Throws IndexError, and the reason of the signal. */
export async function searchWords(lance: Lance, table: OpenTable, query: KeywordQuery): Promise<readonly IndexHit[]> {
  const { limit, filter, signal, mark } = query;
  signal?.throwIfAborted();
  const { BooleanQuery, MatchQuery, Occur } = lance;
  const columnsOf = ({ terms, stems }: SoughtWords, boost: number) => [
    { column: 'terms', words: terms, boost },
    { column: 'stems', words: stems, boost: boost * STEM_BOOST },
  ];
  const columns = [...columnsOf(query, 1), ...columnsOf(query.weak ?? NO_WORDS, WEAK_BOOST)]
    .filter(({ words }) => words.length > 0)
    .map(({ column, words, boost }) => new MatchQuery(words.slice(0, MAX_TERMS).join(' '), column, { boost }));
  const [first] = columns;
  if (first === undefined) return [];
  await table.refresh(mark);
  return table.read(async () => {
    const searchColumn: SearchColumn = async (words, most, rowIds) => {
      // Rows that were added twice count once, so that others have their places.
      for (let rows = most; ; rows *= 2) {
        const search = table.handle.query().fullTextSearch(words).select([ROW_COLUMN, '_score']).limit(rows);
        if (rowIds !== undefined) search.where(oneOf('row_id', rowIds));
        else if (filter !== undefined) search.where(filterSql(filter));
        const answer = await runQuery(search, signal);
        const hits = hitsOf(answer, '_score', (score) => score, most);
        const more = hits.length >= most;
        if (more || answer.numRows < rows) return { hits, more };
      }
    };
    const searchAll = async (words: FullTextQuery) => (await searchColumn(words, limit)).hits;
    if (columns.length === 1) return searchAll(first);
    const combined = new BooleanQuery(columns.map((words) => [Occur.Should, words]));
    return (await mergeColumns(columns, limit, searchColumn)) ?? searchAll(combined);
  }, signal);
}

/** Whether any row has all of these terms. Throws IndexError, and the reason of the signal. */
export async function hasTerms(
  { MatchQuery, Operator }: Lance,
  table: OpenTable,
  { terms, filter, signal, mark }: TermsQuery,
): Promise<boolean> {
  signal?.throwIfAborted();
  const words = [...new Set(terms)].slice(0, MAX_TERMS).join(' ');
  if (words === '') return false;
  await table.refresh(mark);
  return table.read(async () => {
    const all = new MatchQuery(words, 'terms', { operator: Operator.And });
    const search = table.handle.query().fullTextSearch(all).select([ROW_COLUMN]).limit(1);
    if (filter !== undefined) search.where(filterSql(filter));
    return (await runQuery(search, signal)).numRows > 0;
  }, signal);
}
