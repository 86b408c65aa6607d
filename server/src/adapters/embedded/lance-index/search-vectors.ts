import type { IndexHit, NearestQuery } from '../../../ports/search-index.ts';
import { filterSql } from './filter-sql.ts';
import { runQuery, hitsOf, ROW_COLUMN } from './hits.ts';
import type { OpenTable } from './table.ts';

/** Parts of the vectors that are looked at. With 50 of a million rows two of a hundred near ones were missed, with 100 none. */
const PROBES = 100;
/** Candidates are compared exactly: these many, or twice the hits that are wanted. */
const MIN_CANDIDATES = 300;
const REFINE = 2;
/**
 * Under a filter the nearest rows are far away and about as far as others, which the short forms of vectors tell badly apart: with
 * 100 candidates of a hundredth of the rows a quarter was missed, with 1,000 none to twelve of a thousand.
 */
const MIN_UNDER_FILTER = 1_500;

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
      .select([ROW_COLUMN, '_distance'])
      .limit(limit)
      .refineFactor(Math.max(REFINE, Math.ceil((filter === undefined ? MIN_CANDIDATES : MIN_UNDER_FILTER) / limit)));
    if (filter === undefined) search.nprobes(PROBES);
    // No upper bound: parts are looked at until there are enough hits.
    else search.maximumNprobes(0).minimumNprobes(PROBES).where(filterSql(filter));
    return hitsOf(await runQuery(search, signal), '_distance', (distance) => 1 - distance, limit);
  }, signal);
}
