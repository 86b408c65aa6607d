import { setTimeout as delay } from 'node:timers/promises';
import { IndexError } from '../../../ports/search-index.ts';
import { Unreachable, type Client, type Reply, type Request } from './client.ts';
import { failureOf, unavailable } from './failure.ts';
import { plainLayout, slotLayout, type Layout } from './layout.ts';
import { FORMAT, SHARED_FORMAT } from './mapping.ts';
import { hold, isShared, type Place } from './places.ts';

/** A table that is known in this process. */
export interface OpenTable {
  readonly name: string;
  /** The alias by which it is read and written. */
  readonly alias: string;
  readonly dimension: number;
  readonly shards: number;
  readonly layout: Layout;
  /** Where it lies. Another process may have moved it meanwhile, which nothing depends on. */
  readonly place: Place;
  /** What its index says of itself. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** When this was read, by the clock of this process. */
  readonly readMs: number;
  /** Sends a request to the alias, with a path below it. Throws IndexError, and the reason of the signal. */
  ask(request: Request): Promise<Reply>;
  /** Sees what was written before the mark was reached; everything there is when there is none. Throws IndexError. */
  refresh(mark: number | undefined, signal?: AbortSignal): Promise<void>;
  /** Lets writes go on where who moves the table has ended by the way. Throws IndexError. */
  release(): Promise<void>;
  /** What this process writes is not seen before the next refresh. */
  wrote(): void;
}

const OPEN_MS = 10_000;
const MOVING_MS = 300;
/** A refresh that takes longer may wait for a shard that nobody serves. */
const PATIENCE_MS = 1_000;

/** Sends a request about a table. Throws IndexError, Error where the request was wrong, and the reason of the signal. */
export async function askFor(client: Client, table: string, target: string, request: Request): Promise<Reply> {
  const send = () =>
    client.send(request).catch((error: unknown) => {
      throw error instanceof Unreachable ? unavailable(table, error.message, error) : error;
    });
  let reply = await send();
  // A shard that the cluster moves to another of its nodes is nowhere for a moment, as far as the node knows that was asked.
  if (reply.status === 503 && request.path.endsWith('/_search')) {
    await delay(MOVING_MS);
    reply = await send();
  }
  if (reply.status >= 300) throw await failureOf(client, table, target, reply);
  return reply;
}

/**
 * Refreshes, but does not wait long for an index of which a shard is away, as the server itself would for a minute, nor for a server that
 * does not even say how it fares.
 */
async function refreshNow(client: Client, table: string, alias: string): Promise<void> {
  const stop = new AbortController();
  const path = `/${alias}/_refresh`;
  const refreshing = askFor(client, table, alias, { method: 'POST', path, signal: stop.signal });
  refreshing.catch(() => undefined);
  const watch = setTimeout(() => {
    const health = { method: 'GET', path: `/_cluster/health/${alias}`, query: { timeout: '1s' } } as const;
    client.send({ ...health, timeoutMs: 5_000 }).then(
      ({ body }) => {
        if (body?.status === 'red') stop.abort(new RedIndex());
      },
      (error: unknown) => stop.abort(unavailable(table, (error as Error).message, error)),
    );
  }, PATIENCE_MS);
  try {
    const { body } = await refreshing;
    if ((body?._shards?.failed ?? 0) > 0) throw await failureOf(client, table, alias, { status: 503, body: null });
  } catch (error) {
    if (!(error instanceof RedIndex)) throw error;
    throw await failureOf(client, table, alias, { status: 503, body: null });
  } finally {
    clearTimeout(watch);
  }
}

class RedIndex extends Error {}

/** Looks a table up. Throws IndexError. */
export async function openTable(client: Client, name: string, alias: string): Promise<OpenTable> {
  const { body } = await askFor(client, name, alias, { method: 'GET', path: `/${alias}`, timeoutMs: OPEN_MS });
  const [[index, found] = ['', null]] = Object.entries<any>(body ?? {}); // oxlint-disable-line typescript/no-explicit-any -- JSON of another server
  const { format, dimension, slot: own } = found?.mappings?._meta ?? {};
  const slot: unknown = own ?? Number(found?.aliases?.[alias]?.index_routing ?? Number.NaN);
  const isOurs = format === FORMAT || (format === SHARED_FORMAT && Number.isInteger(slot));
  if (!isOurs || typeof dimension !== 'number')
    throw new IndexError('lost', name, `Table ${name} of the search index is none of ours`);
  const layout = format === FORMAT ? plainLayout : slotLayout(name, slot as number);
  const place: Place = { index, alias, table: name, slot: isShared(index) ? (slot as number) : null };

  let seen = -Infinity;
  /** Writes of this process, and how many of them searches see. */
  let [written, shown] = [0, 0];
  return {
    name,
    alias,
    dimension,
    shards: Number(found.settings?.index?.number_of_shards ?? 1),
    layout,
    meta: found.mappings._meta,
    place,
    readMs: performance.now(),
    async release() {
      await hold(client, place, true);
    },
    ask: (request) => askFor(client, name, alias, { ...request, path: `/${alias}${request.path}` }),
    async refresh(mark, signal) {
      if (mark !== undefined && mark <= seen && shown >= written) return;
      signal?.throwIfAborted();
      const before = written;
      // Never shared with a refresh that is under way: that one may have looked before the write.
      await refreshNow(client, name, alias);
      shown = Math.max(shown, before);
      if (mark !== undefined) seen = Math.max(seen, mark);
    },
    wrote: () => void written++,
  };
}
