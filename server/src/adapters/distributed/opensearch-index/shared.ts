import { createHash } from 'node:crypto';
import { Unreachable, type Client, type Request } from './client.ts';
import { failureOf, unavailable } from './failure.ts';
import { sharedIndexOf } from './mapping.ts';
import type { OpenSearchOptions } from './options.ts';
import { aliasOf, changeAliases, sharedNames, wasOvertaken, type Place } from './places.ts';
import { askFor } from './table.ts';

// Small tables of one family lie in one index: a shard each would be too many for a cluster. The cluster itself keeps which table lies
// where: an alias for each, whose routing is its place. Families do not meet.

const ATTEMPTS = 20;
const CREATE_MS = 60_000;
/** The alias by which an index that is shared is written to as a whole: without one the server would make what is missing. */
export const wholeOf = (index: string): string => `${index}.all`;
const claimOf = (table: string): string => `claim:${table}`;

/** Tables of a group lie together: of one family, and with rows of one kind. */
const groupOf = ({ engine, tablesPerIndex }: OpenSearchOptions, dimension: number, family: string): string =>
  createHash('sha256')
    .update(JSON.stringify([family, dimension, engine, tablesPerIndex]))
    .digest('hex')
    .slice(0, 24);

/** Sends a request; what can't be reached is unavailable. Throws IndexError `unavailable`. */
const send = (client: Client, table: string, request: Request) =>
  client.send(request).catch((error: unknown) => {
    throw error instanceof Unreachable ? unavailable(table, error.message, error) : error;
  });

type Aliases = Readonly<Record<string, { readonly index_routing?: string }>>;

/** Those of the indices whose rows are not all served at the moment. Throws IndexError `unavailable`. */
async function redIndices(client: Client, table: string, pattern: string): Promise<ReadonlySet<string>> {
  const health = {
    method: 'GET',
    path: `/_cluster/health/${pattern}`,
    query: { level: 'indices', timeout: '1s' },
  } as const;
  const { body } = await send(client, table, { ...health, timeoutMs: 5_000 });
  const all = Object.entries<{ readonly status?: string }>(body?.indices ?? {});
  return new Set(all.filter(([, { status }]) => status === 'red').map(([index]) => index));
}

/** The indices of a group by their numbers, with the places that are taken in each, and whether all of it is served. */
async function indicesOf(client: Client, table: string, pattern: string) {
  const { body } = await askFor(client, table, pattern, { method: 'GET', path: `/${pattern}/_alias` });
  const red = await redIndices(client, table, pattern);
  return Object.entries<{ readonly aliases?: Aliases }>(body ?? {})
    .map(([index, { aliases = {} }]) => ({
      index,
      number: Number(index.slice(index.lastIndexOf('-') + 1)),
      taken: new Set(
        Object.values(aliases).flatMap(({ index_routing: slot }) => (slot === undefined ? [] : [Number(slot)])),
      ),
      isServed: !red.has(index),
    }))
    .toSorted((a, b) => a.number - b.number);
}

/** Makes an index; one that is there already is as good. Throws IndexError `unavailable`. */
async function makeIndex(client: Client, options: OpenSearchOptions, table: string, index: string, dimension: number) {
  const reply = await send(client, table, {
    method: 'PUT',
    path: `/${index}`,
    query: { timeout: '30s' },
    body: { ...sharedIndexOf(options, dimension), aliases: { [wholeOf(index)]: {} } },
    timeoutMs: CREATE_MS,
    attempts: 2,
  });
  if (reply.status === 400 && reply.body?.error?.type === 'resource_already_exists_exception') return;
  if (reply.status >= 300) throw unavailable(table, (await failureOf(client, table, index, reply)).message);
  if (reply.body?.shards_acknowledged === false) throw unavailable(table, 'its shards were not started in time');
}

/** The place of a table in an index, as whoever came first has chosen it; null where the index is gone. Throws IndexError. */
async function claimSlot(client: Client, table: string, index: string, slot: number): Promise<number | null> {
  const path = `/${wholeOf(index)}`;
  const made = await send(client, table, {
    method: 'PUT',
    path: `${path}/_create/${claimOf(table)}`,
    query: { require_alias: true },
    body: { row_id: String(slot) },
  });
  if (made.status < 300) return slot;
  if (made.status === 404) return null;
  if (made.status !== 409) throw unavailable(table, (await failureOf(client, table, index, made)).message);
  const { status, body } = await send(client, table, { method: 'GET', path: `${path}/_doc/${claimOf(table)}` });
  return status === 200 ? Number(body?._source?.row_id) : null;
}

/** Gives a table a place beside others of its family. Safe to repeat, also by several at once. Throws IndexError `unavailable`. */
export async function placeTable(
  client: Client,
  options: OpenSearchOptions,
  {
    table,
    alias,
    dimension,
    family,
  }: { readonly table: string; readonly alias: string; readonly dimension: number; readonly family: string },
): Promise<void> {
  const names = sharedNames(options.prefix, groupOf(options, dimension, family));
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    if ((await send(client, table, { method: 'GET', path: `/_alias/${alias}` })).status === 200) return;
    const indices = await indicesOf(client, table, names.all);
    const free = indices.find(({ isServed, taken }) => isServed && taken.size < options.tablesPerIndex);
    if (free === undefined) {
      await makeIndex(client, options, table, names.index((indices.at(-1)?.number ?? 0) + 1), dimension);
      continue;
    }
    const { index, taken } = free;
    const lowest =
      Array.from({ length: options.tablesPerIndex }, (_, slot) => slot).find((slot) => !taken.has(slot)) ?? 0;
    const slot = await claimSlot(client, table, index, lowest);
    if (slot === null) continue;
    // Refused where another process has put it elsewhere: a table is written in one place.
    const reply = await changeAliases(client, table, [{ add: aliasOf({ index, alias, table, slot }, true) }]);
    if (reply.status < 300) return;
    if (!wasOvertaken(reply)) throw unavailable(table, (await failureOf(client, table, index, reply)).message);
  }
  throw unavailable(table, 'no place was found for it');
}

/** Takes a table's rows out of an index that it shares, and the index away where nothing is left in it. Throws IndexError. */
export async function clearPlace(client: Client, table: string, index: string): Promise<void> {
  const whole = wholeOf(index);
  const ask = (request: Request) => askFor(client, table, whole, { ...request, path: `/${whole}${request.path}` });
  const { body } = await ask({ method: 'GET', path: '/_alias' });
  const [{ aliases = {} } = {}] = Object.values<{ readonly aliases?: Aliases }>(body ?? {});
  const isLast = Object.keys(aliases).every((alias) => alias === whole);
  try {
    // Whoever asks one that is not served waits half a minute to hear it.
    if ((await redIndices(client, table, index)).has(index)) throw unavailable(table, `${index} is not served`);
    await ask({ method: 'POST', path: '/_refresh' });
    await ask({
      method: 'POST',
      path: '/_delete_by_query',
      query: { conflicts: 'proceed' },
      body: { query: { term: { table: { value: table } } } },
      timeoutMs: 120_000,
    });
    await send(client, table, { method: 'DELETE', path: `/${whole}/_doc/${claimOf(table)}` });
    await ask({ method: 'POST', path: '/_refresh' });
    if (!isLast) return;
    // Rows that came late, of a table that has moved: the next sweep removes them.
    const { body: left } = await ask({
      method: 'POST',
      path: '/_count',
      body: { query: { exists: { field: 'table' } } },
    });
    if ((left?.count ?? 0) > 0) return;
  } catch (error) {
    // One that is broken, and used by nobody.
    if (!isLast) throw error;
  }
  await askFor(client, table, whole, { method: 'DELETE', path: `/${index}`, query: { ignore_unavailable: true } });
}

/** Takes a table from its place. Its rows that can't be removed now are found by the next sweep. Throws IndexError `unavailable`. */
export async function leavePlace(
  client: Client,
  { log }: OpenSearchOptions,
  { table, alias, index }: Pick<Place, 'table' | 'alias' | 'index'>,
): Promise<void> {
  const reply = await changeAliases(client, table, [{ remove: { index, alias } }]);
  if (reply.status >= 300 && !wasOvertaken(reply)) throw await failureOf(client, table, alias, reply);
  await clearPlace(client, table, index).catch((error: unknown) =>
    log.warn({ table, index, err: error }, 'rows of a removed table are still in the index that it shared'),
  );
}
