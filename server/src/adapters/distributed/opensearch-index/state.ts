import { createClient, type Client } from './client.ts';
import type { OpenSearchOptions } from './options.ts';
import { countUnfitting } from './reshard.ts';
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

/** A cluster takes no more indices at its bound of shards; by then it is too late. */
const MANY_SHARDS = 0.8;
/** New shards go to no node whose disk is fuller than this. Source: OpenSearch, cluster.routing.allocation.disk.watermark.low. */
const LOW_WATERMARK = 85;

async function read(client: Client, path: string, query: Readonly<Record<string, string>> = {}) {
  const { status, body } = await client.send({ method: 'GET', path, query, timeoutMs: 5_000, attempts: 1 });
  return status === 200 ? body : null;
}

/** What the operator should do before the cluster is full. */
async function adviceOn(client: Client, options: OpenSearchOptions): Promise<string[]> {
  const advice: string[] = [];
  const settings = await read(client, '/_cluster/settings', {
    include_defaults: 'true',
    flat_settings: 'true',
    filter_path: '*.cluster.max_shards_per_node',
  });
  const health = await read(client, '/_cluster/health');
  const bound = { ...settings?.defaults, ...settings?.persistent, ...settings?.transient }[
    'cluster.max_shards_per_node'
  ];
  const most = Number(bound ?? 1_000) * Number(health?.number_of_data_nodes ?? 1);
  if (health !== null && Number(health.active_shards) > MANY_SHARDS * most)
    advice.push(
      `It has ${health.active_shards} of at most ${most} shards: each index takes search.shards times (1 + search.replicas). Add a node, or raise cluster.max_shards_per_node`,
    );
  const nodes = await read(client, '/_cat/allocation', { format: 'json', h: 'node,disk.percent' });
  for (const { node, 'disk.percent': used } of (nodes ?? []) as { node: string; 'disk.percent': string | null }[])
    if (Number(used ?? 0) >= LOW_WATERMARK)
      advice.push(`The disk of node ${node} is full to ${used} %: it takes no new shards. Add room or a node`);
  const unfitting = (await countUnfitting(client, options)) ?? 0;
  if (unfitting > 0)
    advice.push(
      `${unfitting === 1 ? 'An index' : `${unfitting} indices`} of one collection has another number of shards than search.shards and search.rows_per_shard say: "studio search reshard" makes it anew`,
    );
  return advice;
}

/** Reads the figures of our indices. Throws where the cluster cannot be used, or does not tell them. */
export async function readFigures(options: OpenSearchOptions): Promise<IndexFigures> {
  const client = createClient(options);
  try {
    const { refusal } = await readServer(client, options);
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
export async function readCluster(options: OpenSearchOptions, withAdvice: boolean): Promise<ClusterState> {
  const client = createClient(options);
  try {
    const server = await readServer(client, options);
    if (server.refusal !== null) return { ...server, status: null };
    const health = await read(client, `/_cluster/health/${options.prefix}-i-*`, { timeout: '1s' });
    const status = Number(health?.active_primary_shards ?? 0) === 0 && health?.status !== 'red' ? null : health?.status;
    return {
      ...server,
      advice: withAdvice ? [...server.advice, ...(await adviceOn(client, options))] : server.advice,
      status: status ?? null,
    };
  } finally {
    await client.close();
  }
}
