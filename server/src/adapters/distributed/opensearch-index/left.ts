import { IndexError } from '../../../ports/search-index.ts';
import { piecesOf, sendPiece, type Line } from './bulk.ts';
import type { Client, Reply, Request } from './client.ts';
import { failureOf } from './failure.ts';
import type { OpenSearchOptions } from './options.ts';
import { isShared } from './places.ts';
import { scroll } from './scroll.ts';
import { clearPlace } from './shared.ts';
import { askFor, type OpenTable } from './table.ts';

// A large table is compared with the place that it left after its alias went over: until then the new index has rows that were removed while they
// were copied. That is noted in the new index itself, with how far its writes had come then, so that whoever opens the table can end what another
// process has begun. What was written since is newer, and is no matter.

/** What an index says of the place that its table has left for it, and was not compared with yet. */
interface Left {
  readonly from: string;
  /** When the alias went over, by the clock of whoever carried it. */
  readonly atMs: number;
  /** The last write of each shard by then. */
  readonly upTo: Readonly<Record<string, number>>;
}

type Meta = Readonly<Record<string, unknown>>;

/** Who carried the alias over may still be comparing: before this time nobody takes over. */
const RESUME_MS = 15 * 60_000;
const IDS = 5_000;

/** What the `_meta` of a mapping says; null where nothing was left to do. */
export function leftOf(meta: Meta | null | undefined): Left | null {
  const { from, atMs, upTo } = (meta?.['left'] ?? {}) as Partial<Left>;
  return typeof from === 'string' && typeof atMs === 'number' && typeof upTo === 'object' ? { from, atMs, upTo } : null;
}

/** The alias by which an index that a table has moved into is written while rows are copied, and compared. */
export const copyOf = (index: string): string => `${index}.copy`;

/** Throws IndexError. */
export async function dropIndex(client: Client, table: string, index: string): Promise<void> {
  await askFor(client, table, index, { method: 'DELETE', path: `/${index}`, query: { ignore_unavailable: true } });
}

/** Writes by ids to an index that a table has moved into, whatever its own alias says. Throws IndexError, and the reason of the signal. */
export function writerTo(client: Client, table: string, index: string, signal: AbortSignal) {
  const copy = copyOf(index);
  const ask = (request: Request) =>
    askFor(client, table, copy, { ...request, path: `/${copy}${request.path}`, signal });
  const failure = (reply: Reply) => failureOf(client, table, copy, reply);
  const target = { name: table, ask, release: () => Promise.resolve() };
  return {
    ask,
    failure,
    put: async (lines: readonly Line[]): Promise<void> =>
      void (await sendPiece({ table: target, failure, onWritten: () => undefined }, lines)),
  };
}

async function noteMeta(client: Client, table: string, index: string, meta: Meta): Promise<void> {
  await askFor(client, table, index, { method: 'PUT', path: `/${index}/_mapping`, body: { _meta: meta } });
}

interface ShardCopy {
  readonly routing?: { readonly primary?: boolean };
  readonly seq_no?: { readonly max_seq_no?: number };
}

/** Notes in an index what its table is about to leave; nobody may be writing to it. `meta` is what it says besides. Throws IndexError. */
export async function noteLeft(client: Client, table: string, index: string, meta: Meta, from: string): Promise<void> {
  const path = `/${index}/_stats/docs`;
  const { body } = await askFor(client, table, index, { method: 'GET', path, query: { level: 'shards' } });
  const shards = Object.entries<readonly ShardCopy[]>(body?.indices?.[index]?.shards ?? {});
  const upTo = Object.fromEntries(
    shards.map(([shard, copies]) => {
      const primary = copies.find(({ routing }) => routing?.primary === true);
      return [shard, primary?.seq_no?.max_seq_no ?? -1] as const;
    }),
  );
  const left: Left = { from, atMs: Date.now(), upTo };
  await noteMeta(client, table, index, { ...meta, left });
}

/** Notes that a table was compared with what it left. Throws IndexError. */
export async function noteCompared(client: Client, table: string, index: string, meta: Meta): Promise<void> {
  const { left: _, ...rest } = meta;
  await noteMeta(client, table, index, rest);
}

/** Where a table lies now, and what its index says of itself. Throws IndexError. */
async function readMeta(client: Client, table: string, alias: string): Promise<{ index: string; meta: Meta }> {
  const { body } = await askFor(client, table, alias, { method: 'GET', path: `/${alias}` });
  const [[index, found] = ['', null]] = Object.entries<any>(body ?? {}); // oxlint-disable-line typescript/no-explicit-any -- JSON of another server
  return { index, meta: (found?.mappings?._meta ?? {}) as Meta };
}

/** What a table has left behind to be compared with; null where nothing is. Throws IndexError. */
export const readLeft = async (client: Client, table: string, alias: string): Promise<Left | null> =>
  leftOf((await readMeta(client, table, alias)).meta);

/** Whether the place that was left still has rows of the table: only then can anything be told by what it has not. */
async function isThere(client: Client, table: string, { from }: Left): Promise<boolean> {
  try {
    await askFor(client, table, from, { method: 'POST', path: `/${from}/_refresh` });
    const query = isShared(from) ? { query: { term: { table: { value: table } } } } : {};
    const { body } = await askFor(client, table, from, { method: 'POST', path: `/${from}/_count`, body: query });
    return (body?.count ?? 0) > 0;
  } catch (error) {
    if (error instanceof IndexError && error.kind === 'lost') return false;
    throw error;
  }
}

/** Takes from an index what the place that its table left has not, of what had been written by then. Throws IndexError, and the reason of the signal. */
async function removeStrays(
  client: Client,
  table: string,
  index: string,
  { from, upTo }: Left,
  signal: AbortSignal,
): Promise<void> {
  const ask = (request: Request) =>
    askFor(client, table, index, { ...request, path: `/${index}${request.path}`, signal });
  const refresh = async () => void (await ask({ method: 'POST', path: '/_refresh' }));
  const { put } = writerTo(client, table, index, signal);
  for (const [shard, last] of Object.entries(upTo)) {
    const query = { bool: { filter: [{ range: { _seq_no: { lte: last } } }] } };
    const asked = {
      size: IDS,
      preference: `_shards:${shard}`,
      query,
      _source: false,
      seq_no_primary_term: true,
      signal,
    };
    for await (const hits of scroll(client, { name: table, alias: index, ask, refresh }, asked)) {
      const ids = hits.map(({ _id: id }) => String(id));
      const { body } = await askFor(client, table, from, {
        method: 'POST',
        path: `/${from}/_search`,
        query: { allow_partial_search_results: false },
        body: { size: ids.length, _source: false, query: { ids: { values: ids } } },
        signal,
      });
      const there = new Set((body?.hits?.hits ?? []).map(({ _id: id }: { readonly _id: string }) => id));
      const gone = hits.flatMap(({ _id: id, _seq_no: number, _primary_term: term }): Line[] =>
        there.has(id) ? [] : [{ id, ifVersion: [number, term] }],
      );
      for (const piece of piecesOf(gone)) await put(piece);
    }
  }
  await refresh();
}

/**
 * Ends what a process has left undone that moved a table and ended just after its alias went over. Resolves with whether nothing is left
 * to do: where it went over a moment ago, that process may be at it. Throws IndexError, and the reason of the signal.
 */
export async function finishMove(
  client: Client,
  options: OpenSearchOptions,
  { name: table, alias }: Pick<OpenTable, 'name' | 'alias'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { index, meta } = await readMeta(client, table, alias);
  const left = leftOf(meta);
  if (left === null) return true;
  if (untilResumed(options, left) > 0) return false;
  if (await isThere(client, table, left)) await removeStrays(client, table, index, left, signal);
  else
    options.log.warn({ table, from: left.from }, 'place that a table has left is gone before it was compared with it');
  await noteCompared(client, table, index, meta);
  if (isShared(left.from)) await clearPlace(client, table, left.from);
  else await dropIndex(client, table, left.from);
  options.log.info({ table }, 'move of a table that another process had begun was brought to its end');
  return true;
}

/** How long nobody else takes over from who carried the alias over, in milliseconds; none where it is time. */
export const untilResumed = ({ resumeMs = RESUME_MS }: OpenSearchOptions, { atMs }: Left): number =>
  Math.max(0, atMs + resumeMs - Date.now());
