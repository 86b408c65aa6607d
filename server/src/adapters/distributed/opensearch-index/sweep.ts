import { askFor } from './table.ts';
import type { Client, Request } from './client.ts';
import { clearPlace, wholeOf } from './shared.ts';

// What is written to a table is answered well only where the table is (see `places.ts`). So what arrives in a place that it has left belongs to
// nobody: whoever wrote it has written it again, or given it up.

const MAX_TABLES = 10_000;

/** Removes what lies in an index that tables share, of tables that are not there (any more). Throws IndexError. */
export async function sweepIndex(
  client: Client,
  index: string,
  aliasOfTable: (table: string) => string,
): Promise<void> {
  const whole = wholeOf(index);
  const ask = (request: Request) => askFor(client, '', whole, request);
  await ask({ method: 'POST', path: `/${whole}/_refresh` });
  const { body: found } = await ask({
    method: 'POST',
    path: `/${whole}/_search`,
    query: { allow_partial_search_results: false },
    body: { size: 0, aggs: { tables: { terms: { field: 'table', size: MAX_TABLES } } } },
  });
  const buckets: readonly { readonly key: string }[] = found?.aggregations?.tables?.buckets ?? [];
  // Asked afterwards: a table has its alias before it has rows.
  const { body } = await ask({ method: 'GET', path: `/${whole}/_alias` });
  const [{ aliases = {} } = {}] = Object.values<{ readonly aliases?: object }>(body ?? {});
  for (const { key: table } of buckets)
    if (!Object.hasOwn(aliases, aliasOfTable(table))) await clearPlace(client, table, index);
}
