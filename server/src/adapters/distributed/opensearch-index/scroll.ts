import type { Client } from './client.ts';
import { failureOf } from './failure.ts';
import { askFor, type OpenTable } from './table.ts';

/** How long the server keeps its place between two pieces. */
const KEEP = '5m';

/**
 * All rows of a table as they are now, in pieces; what is asked of each stands in `body`, with an order where one is needed, and
 * `preference` names the copies that are asked. Throws IndexError, and the reason of the signal.
 */
export async function* scroll(
  client: Client,
  table: Pick<OpenTable, 'name' | 'alias' | 'ask' | 'refresh'>,
  {
    signal,
    preference,
    ...body
  }: {
    readonly size: number;
    readonly signal?: AbortSignal | undefined;
    readonly preference?: string;
  } & Readonly<Record<string, unknown>>,
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another server
): AsyncGenerator<readonly any[], undefined> {
  await table.refresh(undefined, signal);
  let { body: answer } = await table.ask({
    method: 'POST',
    path: '/_search',
    query: {
      scroll: KEEP,
      allow_partial_search_results: false,
      ...(preference === undefined ? {} : { preference }),
    },
    body: { sort: ['_doc'], ...body },
    timeoutMs: 90_000,
    signal,
  });
  // Each answer may name the place anew, and only the latest name is sure to hold.
  let id: unknown = answer?._scroll_id;
  try {
    for (;;) {
      if ((answer?._shards?.failed ?? 0) > 0)
        throw await failureOf(client, table.name, table.alias, { status: 503, body: null });
      const hits: readonly unknown[] = answer?.hits?.hits ?? [];
      if (hits.length === 0) return;
      yield hits;
      const next = { method: 'POST', path: '/_search/scroll', body: { scroll: KEEP, scroll_id: id } } as const;
      ({ body: answer } = await askFor(client, table.name, table.alias, {
        ...next,
        attempts: 1,
        timeoutMs: 90_000,
        signal,
      }));
      id = answer?._scroll_id ?? id;
    }
  } finally {
    const end = { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: id }, attempts: 1 } as const;
    await client.send(end).catch(() => undefined);
  }
}
