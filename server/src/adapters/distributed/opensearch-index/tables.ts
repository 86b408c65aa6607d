import { IndexError, type TableShape } from '../../../ports/search-index.ts';
import { Unreachable, type Client } from './client.ts';
import { failureOf, unavailable } from './failure.ts';
import { indexOf } from './mapping.ts';
import { dropIndex } from './left.ts';
import { unusedIndices } from './move.ts';
import type { OpenSearchOptions } from './options.ts';
import { isShared } from './places.ts';
import { leavePlace, placeTable } from './shared.ts';
import { askFor } from './table.ts';

/** Names of the tables of a cluster: an alias by which each is used, and an index behind it that may be replaced. */
export const namesOf = (prefix: string) => ({
  alias: (table: string): string => `${prefix}-t-${table}`,
  index: (table: string): string => `${prefix}-i-${table}-1`,
  /** The table of an alias. */
  table: (alias: string): string => alias.slice(`${prefix}-t-`.length),
  allAliases: `${prefix}-t-*`,
});

const CREATE_MS = 60_000;

/** Makes an empty table where there is none. Throws IndexError `unavailable`. */
export async function createTable(
  client: Client,
  options: OpenSearchOptions,
  table: string,
  { dimension, family }: TableShape,
): Promise<void> {
  const names = namesOf(options.prefix);
  if (family !== undefined && options.tablesPerIndex > 1) {
    await placeTable(client, options, { table, alias: names.alias(table), dimension, family });
    return;
  }
  const found = await client.send({ method: 'GET', path: `/_alias/${names.alias(table)}` }).catch(() => null);
  // Perhaps in an index of another name.
  if (found?.status === 200) return;
  const reply = await client
    .send({
      method: 'PUT',
      path: `/${names.index(table)}`,
      query: { timeout: '30s' },
      body: { ...indexOf(options, dimension), aliases: { [names.alias(table)]: { is_write_index: true } } },
      timeoutMs: CREATE_MS,
      attempts: 2,
    })
    .catch((error: unknown) => {
      throw error instanceof Unreachable ? unavailable(table, error.message, error) : error;
    });
  if (reply.status === 400 && reply.body?.error?.type === 'resource_already_exists_exception') return;
  if (reply.status >= 300) {
    // Where it can't be made, nothing is lost.
    const { message } = await failureOf(client, table, names.alias(table), reply);
    throw unavailable(table, message);
  }
  if (reply.body?.shards_acknowledged === false) throw unavailable(table, 'its shards were not started in time');
}

/** Removes a table. Throws IndexError `unavailable`. */
export async function dropTable(client: Client, options: OpenSearchOptions, table: string): Promise<void> {
  const names = namesOf(options.prefix);
  const alias = names.alias(table);
  const found = await client.send({ method: 'GET', path: `/_alias/${alias}` }).catch((error: unknown) => {
    throw error instanceof Unreachable ? unavailable(table, error.message, error) : error;
  });
  const indices = found.status === 200 ? Object.keys(found.body ?? {}) : [];
  for (const index of indices.filter(isShared)) await leavePlace(client, options, { table, alias, index });
  const unused = await unusedIndices(client, options.prefix, table, alias);
  const own = [...indices.filter((index) => !isShared(index)), names.index(table), ...unused.map(({ index }) => index)];
  for (const index of new Set(own))
    await dropIndex(client, table, index).catch((error: unknown) => {
      if (!(error instanceof IndexError) || error.kind !== 'lost') throw error;
    });
}

/** The names of all tables, in order. Throws IndexError. */
export async function listTables(client: Client, { prefix }: OpenSearchOptions): Promise<readonly string[]> {
  const names = namesOf(prefix);
  const { body } = await askFor(client, '', names.allAliases, { method: 'GET', path: `/_alias/${names.allAliases}` });
  const found = Object.values<{ readonly aliases?: object }>(body ?? {}).flatMap(({ aliases = {} }) =>
    Object.keys(aliases),
  );
  return [...new Set(found.map(names.table))].toSorted();
}
