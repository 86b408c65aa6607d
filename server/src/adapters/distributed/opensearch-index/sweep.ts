import { IndexError } from '../../../ports/search-index.ts';
import { askFor } from './table.ts';
import type { Client, Request } from './client.ts';
import { finishMove, readLeft } from './left.ts';
import type { OpenSearchOptions } from './options.ts';
import { clearPlace, wholeOf } from './shared.ts';

// What is written to a table is answered well only where the table is (see `places.ts`). So what arrives in a place that it has left belongs to
// nobody: whoever wrote it has written it again, or given it up.

const MAX_TABLES = 10_000;

interface Sweeper {
  readonly client: Client;
  readonly options: OpenSearchOptions;
  readonly aliasOfTable: (table: string) => string;
  readonly signal: AbortSignal;
}

/** Removes what lies in an index that tables share, of tables that are not there (any more). Throws IndexError, and the reason of the signal. */
export async function sweepIndex(sweeper: Sweeper, index: string): Promise<void> {
  const { client, aliasOfTable } = sweeper;
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
    if (!Object.hasOwn(aliases, aliasOfTable(table)) && (await isDone(sweeper, table, index)))
      await clearPlace(client, table, index);
}

/** Whether a table that has moved out of an index needs its rows there no more: what it has is compared with them first. */
async function isDone({ client, options, aliasOfTable, signal }: Sweeper, table: string, index: string) {
  const alias = aliasOfTable(table);
  try {
    const left = await readLeft(client, table, alias);
    return left?.from !== index || (await finishMove(client, options, { name: table, alias }, signal));
  } catch (error) {
    // Gone altogether.
    if (error instanceof IndexError && error.kind === 'lost') return true;
    throw error;
  }
}
