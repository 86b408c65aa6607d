import { createClient, type Client } from './client.ts';
import { shardsFor } from './mapping.ts';
import { finishMove } from './left.ts';
import { dropAbandoned, moveTable } from './move.ts';
import type { OpenSearchOptions } from './options.ts';
import { isShared } from './places.ts';
import { readServer } from './server.ts';
import { openTable } from './table.ts';
import { listTables, namesOf } from './tables.ts';

// The shards of an index are counted when it is made. One that has grown, or for which others are configured, is made anew beside.

/** What was done about the tables that have an index of their own. */
export interface Resharded {
  /** Tables whose index has another number of shards now. */
  readonly moved: readonly string[];
  /** Tables that stay as they are for now: another process is at it, or they are written too fast. */
  readonly left: readonly string[];
}

/**
 * Gives tables that have an index of their own as many shards as their rows want, while they are used, and ends what a move that was cut off has
 * left. Throws IndexError, and Error where the server is none that we work with.
 */
export async function reshardTables(
  options: OpenSearchOptions,
  isMeant: (table: string) => boolean,
  onProgress: (message: string) => void,
): Promise<Resharded> {
  const client = createClient(options);
  const { signal } = new AbortController();
  const [moved, left]: [string[], string[]] = [[], []];
  try {
    const { refusal } = await readServer(client);
    if (refusal !== null) throw new Error(`OpenSearch cannot be used: ${refusal}`);
    for (const name of (await listTables(client, options)).filter(isMeant)) {
      const alias = namesOf(options.prefix).alias(name);
      const table = await openTable(client, name, alias);
      if (table.place.slot !== null) continue;
      if (!(await finishMove(client, options, table, signal))) {
        left.push(name);
        continue;
      }
      await table.refresh(undefined);
      const { body } = await table.ask({ method: 'GET', path: '/_count' });
      const rows: number = body?.count ?? 0;
      const wanted = shardsFor(options, rows);
      if (wanted === table.shards) {
        await dropAbandoned(client, options.prefix, name, alias);
        continue;
      }
      onProgress(`${name}: ${rows} rows, from ${table.shards} to ${wanted} shards`);
      const list = (await moveTable({ client, options, table, rows, signal })) ? moved : left;
      list.push(name);
    }
    return { moved, left };
  } finally {
    await client.close();
  }
}

interface IndexStats {
  readonly primaries?: { readonly docs?: { readonly count?: number } };
  readonly shards?: Readonly<Record<string, unknown>>;
}

/** How many indices of one table have another number of shards than they should have; null where the server does not tell. */
export async function countUnfitting(client: Client, options: OpenSearchOptions): Promise<number | null> {
  const { status, body } = await client.send({
    method: 'GET',
    path: `/${options.prefix}-i-*/_stats/docs`,
    query: { level: 'shards', filter_path: 'indices.*.primaries.docs.count,indices.*.shards.*.docs.count' },
    timeoutMs: 10_000,
    attempts: 1,
  });
  if (status !== 200) return null;
  const own = Object.entries<IndexStats>(body?.indices ?? {}).filter(([index]) => !isShared(index));
  return own.filter(
    ([, { primaries, shards = {} }]) => Object.keys(shards).length !== shardsFor(options, primaries?.docs?.count ?? 0),
  ).length;
}
