import {
  watermarks,
  type IndexAdvice,
  type SearchCluster,
  type SearchIndexState,
  type Watermark,
} from '@ai-studio/contract/console/search-index.ts';
import { createClient, type Client } from './client.ts';
import { leftOf } from './left.ts';
import type { OpenSearchOptions } from './options.ts';
import { isShared } from './places.ts';
import { countUnfitting } from './reshard.ts';
import { readServer } from './server.ts';

// How the index fares in its cluster, for who looks after it. What our account may not see is left out.

type ClusterReport = Pick<SearchIndexState, 'tables' | 'rows' | 'bytes' | 'advice'> & {
  readonly cluster: SearchCluster;
};

/** A cluster takes no more indices at its bound of shards; by then it is too late. */
const MANY_SHARDS = 0.8;
/** Source: OpenSearch, cluster.max_shards_per_node. */
const SHARDS_A_NODE = 1_000;
/** An index that nobody has searched for so long is none of a move that has just begun. */
const LEFT_OVER_MS = 60 * 60_000;
const UNITS: Readonly<Record<string, number>> = { b: 0, kb: 1, mb: 2, gb: 3, tb: 4, pb: 5 };

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of another server
type Body = any;

async function read(client: Client, path: string, query: Readonly<Record<string, string>> = {}): Promise<Body> {
  const { status, body } = await client.send({ method: 'GET', path, query, timeoutMs: 10_000, attempts: 1 });
  return status === 200 ? body : null;
}

interface Disk {
  /** From 0 to 1. */
  readonly used: number | null;
  readonly free: number | null;
}

/** Whether a disk is beyond a watermark: a share that is used (`85%`, `0.85`), or bytes that are free (`10gb`). */
export function isBeyond({ used, free }: Disk, mark: string): boolean {
  const [, number = '', unit = ''] = /^([\d.]+)\s*(%|[kmgtp]?b)?$/i.exec(mark.trim()) ?? [];
  if (number === '') return false;
  if (unit === '' || unit === '%') return used !== null && used >= Number(number) / (unit === '%' ? 100 : 1);
  return free !== null && free <= Number(number) * 1024 ** (UNITS[unit.toLowerCase()] ?? 0);
}

interface Allocation {
  readonly node: string;
  readonly shards: string | null;
  readonly 'disk.avail': string | null;
  readonly 'disk.total': string | null;
}

/** What a node does not know (yet) of its disk is left out, or not above zero. */
const sizeOf = (text: string | null | undefined): number | null => (Number(text ?? 0) > 0 ? Number(text) : null);

function nodeOf(one: Allocation, marks: Readonly<Record<Watermark, string>> | null): SearchCluster['nodes'][number] {
  const [total, free] = [sizeOf(one['disk.total']), sizeOf(one['disk.avail'])];
  const used = total === null ? null : Math.round(1_000 * (1 - (free ?? 0) / total)) / 1_000;
  const beyond = watermarks.findLast((name) => marks !== null && isBeyond({ used, free }, marks[name])) ?? null;
  return { name: one.node, shards: Number(one.shards ?? 0), used, free_bytes: free, total_bytes: total, beyond };
}

/** A setting as it holds: what was set for the moment goes before what was set for good, and that before the server's own. */
function settingOf(settings: Body, path: readonly string[]): Body {
  for (const level of ['transient', 'persistent', 'defaults']) {
    const found = path.reduce((value: Body, name) => value?.[name], settings?.[level]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const DISK = ['cluster', 'routing', 'allocation', 'disk', 'watermark'] as const;

function marksOf(settings: Body): Record<Watermark, string> | null {
  const found = watermarks.map((name) => [name, settingOf(settings, [...DISK, name])] as const);
  if (found.some(([, value]) => typeof value !== 'string')) return null;
  return Object.fromEntries(found) as Record<Watermark, string>;
}

interface Found {
  readonly aliases?: Readonly<Record<string, object>>;
  readonly mappings?: { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly settings?: { readonly index?: { readonly creation_date?: string } };
}

/** Indices in which no table is searched, and moves of which the old place was not compared yet: how many, and how many of them are old. */
function movesOf(
  indices: Readonly<Record<string, Found>>,
  prefix: string,
): { readonly all: number; readonly old: number } {
  const ages: number[] = [];
  for (const [index, { aliases = {}, mappings, settings }] of Object.entries(indices)) {
    const left = leftOf(mappings?._meta);
    if (left !== null && isShared(left.from)) ages.push(Date.now() - left.atMs);
    else if (!isShared(index) && !Object.keys(aliases).some((alias) => alias.startsWith(`${prefix}-t-`)))
      ages.push(Date.now() - Number(settings?.index?.creation_date ?? 0));
  }
  return { all: ages.length, old: ages.filter((age) => age > LEFT_OVER_MS).length };
}

/** Looks at the index and its cluster. Throws where it can't be reached, or is none that we work with. */
export async function readReport(options: OpenSearchOptions): Promise<ClusterReport> {
  const client = createClient(options);
  const { prefix, shards, replicas } = options;
  const own = `${prefix}-i-*`;
  try {
    const server = await readServer(client);
    if (server.refusal !== null) throw new Error(server.refusal);
    const [health, whole, indices, aliases, counted, stored, settings, allocation, unfitting] = await Promise.all([
      read(client, `/_cluster/health/${own}`, { timeout: '1s' }),
      read(client, '/_cluster/health'),
      read(client, `/${own}`, { filter_path: '*.aliases,*.mappings._meta,*.settings.index.creation_date' }),
      read(client, `/_alias/${prefix}-t-*`),
      read(client, `/${prefix}-t-*/_count`),
      read(client, `/${own}/_stats/store`, { filter_path: '_all' }),
      read(client, '/_cluster/settings', {
        include_defaults: 'true',
        filter_path: `*.cluster.max_shards_per_node,*.${DISK.join('.')}`,
      }),
      read(client, '/_cat/allocation', {
        format: 'json',
        bytes: 'b',
        h: 'node,shards,disk.avail,disk.total',
      }),
      countUnfitting(client, options),
    ]);
    const marks = marksOf(settings);
    const found: Readonly<Record<string, Found>> = indices ?? {};
    const moves = movesOf(found, prefix);
    const tables = Object.values<Found>(aliases ?? {}).flatMap((one) => Object.keys(one.aliases ?? {}));
    // Parts that no node has stand in the list as if one had them.
    const nodes = ((allocation ?? []) as readonly Allocation[])
      .filter(({ node }) => node !== 'UNASSIGNED')
      .map((one) => nodeOf(one, marks));
    const isEmpty = Number(health?.active_primary_shards ?? 0) === 0 && health?.status !== 'red';
    const cluster: SearchCluster = {
      version: server.version,
      status: health === null || isEmpty ? null : health.status,
      indices: Object.keys(found).length,
      shards: Number(health?.active_shards ?? 0),
      missing_shards: Number(health?.unassigned_shards ?? 0) + Number(health?.initializing_shards ?? 0),
      wanted: { shards, replicas },
      moves: moves.all,
      watermarks: marks,
      nodes,
    };
    const most =
      Number(settingOf(settings, ['cluster', 'max_shards_per_node']) ?? SHARDS_A_NODE) *
      Number(whole?.number_of_data_nodes ?? 1);
    const advice: IndexAdvice[] = [
      ...(cluster.status === 'red' ? [{ kind: 'parts_missing' } as const] : []),
      ...(cluster.status === 'yellow' ? [{ kind: 'copies_missing' } as const] : []),
      ...nodes.flatMap(({ name, used, beyond }): IndexAdvice[] =>
        beyond === null ? [] : [{ kind: 'disk_beyond', node: name, used: used ?? 1, watermark: beyond }],
      ),
      ...(Number(whole?.active_shards ?? 0) > MANY_SHARDS * most
        ? [{ kind: 'many_shards', shards: Number(whole.active_shards), most } as const]
        : []),
      ...((unfitting ?? 0) > 0 ? [{ kind: 'other_shards', indices: unfitting ?? 0 } as const] : []),
      ...(moves.old > 0 ? [{ kind: 'left_over', indices: moves.old } as const] : []),
    ];
    return {
      tables: new Set(tables).size,
      rows: Number(counted?.count ?? 0),
      bytes: Number(stored?._all?.total?.store?.size_in_bytes ?? 0),
      cluster,
      advice,
    };
  } finally {
    await client.close();
  }
}
