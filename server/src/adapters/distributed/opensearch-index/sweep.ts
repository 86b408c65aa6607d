import { linesOfHits, piecesOf, sendPiece } from './bulk.ts';
import type { Client, Reply, Request } from './client.ts';
import { failureOf } from './failure.ts';
import type { OpenSearchOptions } from './options.ts';
import type { Place } from './places.ts';
import { scroll } from './scroll.ts';
import { clearPlace, wholeOf } from './shared.ts';
import { askFor } from './table.ts';

// A write that was under way while its table moved arrives in the old place. It is brought to where the table is now.

const ROWS = 500;
const MAX_TABLES = 10_000;

interface Hit {
  readonly _id: string;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source?: Readonly<Record<string, unknown>>;
  readonly found?: boolean;
}

interface Sweep {
  readonly client: Client;
  readonly options: OpenSearchOptions;
  readonly table: string;
  readonly place: Pick<Place, 'index' | 'alias' | 'slot'>;
  /** Rows that were copied, with their versions; without it those that the table has. */
  readonly known?: ReadonlyMap<string, string>;
}

/** Brings the rows of a table that has left an index to where it is, and removes them there. Throws IndexError. */
export async function sweepTable({ client, table, place, known }: Sweep): Promise<void> {
  const { index, alias, slot } = place;
  const whole = wholeOf(index);
  const to = (target: string, more: Request['query'] = {}) => ({
    name: table,
    alias: target,
    ask: (request: Request) =>
      askFor(client, table, target, {
        ...request,
        path: `/${target}${request.path}`,
        query: { ...request.query, ...(request.path === '/_bulk' ? more : {}) },
      }),
    refresh: async () => void (await askFor(client, table, target, { method: 'POST', path: `/${target}/_refresh` })),
    release: () => Promise.resolve(),
  });
  const [here, there] = [to(whole, { routing: String(slot) }), to(alias)];
  const put = async (target: typeof here, lines: Parameters<typeof piecesOf>[0]) => {
    const failure = (reply: Reply) => failureOf(client, table, target.alias, reply);
    for (const piece of piecesOf(lines)) await sendPiece({ table: target, failure, onWritten: () => undefined }, piece);
  };
  const query = { term: { table: { value: table } } };
  for await (const found of scroll(client, here, { size: ROWS, seq_no_primary_term: true, query })) {
    const hits = found as readonly Hit[];
    const unknown = hits.filter((hit) => known?.get(hit._id) !== `${hit._primary_term}:${hit._seq_no}`);
    if (unknown.length > 0) {
      const ids = unknown.map(({ _id: id }) => id);
      const request = { method: 'POST', path: '/_mget', query: { _source: false }, body: { ids } } as const;
      const { body: answer } = await there.ask(request);
      const docs: readonly Hit[] = answer?.docs ?? [];
      await put(there, linesOfHits(unknown.filter((_, at) => docs[at]?.found !== true)));
      // Who has seen what was written before looks for it no more.
      await there.refresh();
    }
    await put(
      here,
      hits.map(({ _id: id }) => ({ id })),
    );
  }
}

/** Brings home or removes what lies in an index that tables share, of tables that are not there any more. Throws IndexError. */
export async function sweepIndex(
  client: Client,
  options: OpenSearchOptions,
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
  for (const { key: table } of buckets) {
    const alias = aliasOfTable(table);
    if (Object.hasOwn(aliases, alias)) continue;
    const { status } = await client.send({ method: 'GET', path: `/_alias/${alias}` });
    if (status !== 200 && status !== 404) continue;
    const { body: one } = await ask({
      method: 'POST',
      path: `/${whole}/_search`,
      body: { size: 1, query: { term: { table: { value: table } } }, _source: ['row_id'] },
    });
    const slot = Number(one?.hits?.hits?.[0]?._routing ?? 0);
    if (status === 200) await sweepTable({ client, options, table, place: { index, alias, slot } });
    await clearPlace(client, table, index);
  }
}
