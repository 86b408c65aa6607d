import { createClient, type Client } from './client.ts';
import type { OpenSearchOptions } from './options.ts';
import { readServer, type ServerState } from './server.ts';

/** How a cluster fares, as far as our account may see it. */
export interface ClusterState extends ServerState {
  /** Of our indices: red where a shard is not served, yellow where a copy is missing. Null where there are none, or we may not see it. */
  readonly status: 'green' | 'yellow' | 'red' | null;
}

/** Figures of our indices. */
export interface IndexFigures {
  readonly status: 'green' | 'yellow' | 'red';
  /** Shards that are served, copies too, and those that are not. */
  readonly shards: { readonly active: number; readonly missing: number };
  /** Rows of all tables, each once. */
  readonly rows: number;
  /** What they take on the disks of all nodes, copies too. */
  readonly bytes: number;
}

async function read(client: Client, path: string, query: Readonly<Record<string, string>> = {}) {
  const { status, body } = await client.send({ method: 'GET', path, query, timeoutMs: 5_000, attempts: 1 });
  return status === 200 ? body : null;
}

/** Reads the figures of our indices. Throws where the cluster cannot be used, or does not tell them. */
export async function readFigures(options: OpenSearchOptions): Promise<IndexFigures> {
  const client = createClient(options);
  try {
    const { refusal } = await readServer(client);
    if (refusal !== null) throw new Error(refusal);
    const own = `${options.prefix}-i-*`;
    const health = await read(client, `/_cluster/health/${own}`, { timeout: '1s' });
    if (health === null) throw new Error('OpenSearch does not say how our indices fare');
    const stats = await read(client, `/${own}/_stats/store`, { filter_path: '_all' });
    // By the aliases of tables: what shares an index has its own rows beside, and what is being moved lies in two.
    const counted = await read(client, `/${options.prefix}-t-*/_count`);
    return {
      status: health.status,
      shards: {
        active: Number(health.active_shards ?? 0),
        missing: Number(health.unassigned_shards ?? 0) + Number(health.initializing_shards ?? 0),
      },
      rows: Number(counted?.count ?? 0),
      bytes: Number(stats?._all?.total?.store?.size_in_bytes ?? 0),
    };
  } finally {
    await client.close();
  }
}

/** Looks at a cluster. Throws where it can't be reached, or refuses our account. */
export async function readCluster(options: OpenSearchOptions): Promise<ClusterState> {
  const client = createClient(options);
  try {
    const server = await readServer(client);
    if (server.refusal !== null) return { ...server, status: null };
    const health = await read(client, `/_cluster/health/${options.prefix}-i-*`, { timeout: '1s' });
    const status = Number(health?.active_primary_shards ?? 0) === 0 && health?.status !== 'red' ? null : health?.status;
    return { ...server, status: status ?? null };
  } finally {
    await client.close();
  }
}
