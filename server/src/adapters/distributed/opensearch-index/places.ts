import { Unreachable, type Client, type Reply } from './client.ts';
import { failureOf, unavailable } from './failure.ts';

/** Where a table lies. */
export interface Place {
  readonly index: string;
  readonly alias: string;
  readonly table: string;
  /** Its place in an index that it shares; null where it is alone. */
  readonly slot: number | null;
}

/** Indices that tables share have a sign in their names that no table has. */
const SHARED = '-i-s.';
export const isShared = (index: string): boolean => index.includes(SHARED);
export const sharedNames = (prefix: string, group: string) => ({
  all: `${prefix}${SHARED}${group}-*`,
  index: (number: number): string => `${prefix}${SHARED}${group}-${number}`,
});

/** By what a table is written and read: an alias that, in an index of several, sees its own rows alone, all of which lie in one shard. */
export const aliasOf = ({ index, alias, table, slot }: Place, isWritten: boolean) => ({
  index,
  alias,
  ...(slot === null ? {} : { routing: String(slot), filter: { term: { table } } }),
  is_write_index: isWritten,
});

/** What a change of aliases consists of. */
export type AliasAction =
  | Readonly<Record<'add' | 'remove', object>>
  | { readonly add: object }
  | { readonly remove: object };

/** Changes aliases, all or none; resolves with the server's answer, errors too. Throws IndexError `unavailable`. */
export async function changeAliases(client: Client, table: string, actions: readonly AliasAction[]): Promise<Reply> {
  const request = { method: 'POST', path: '/_aliases', body: { actions }, attempts: 2 } as const;
  return client.send(request).catch((error: unknown) => {
    throw error instanceof Unreachable ? unavailable(table, error.message, error) : error;
  });
}

/** Whether a change was refused because the aliases are not as it expects. */
export const wasOvertaken = ({ status, body }: Reply): boolean =>
  status === 404 ||
  (status === 400 && /write index|does not exist|no such index|missing/.test(String(body?.error?.reason)));

/**
 * Lets a table be written to, or not for a moment; searches go on either way. Resolves with false where it has left its place. Throws
 * IndexError.
 */
export async function hold(client: Client, place: Place, isWritten: boolean): Promise<boolean> {
  const { index, alias, table } = place;
  const reply = await changeAliases(client, table, [
    { remove: { index, alias, must_exist: true } },
    { add: aliasOf(place, isWritten) },
  ]);
  if (reply.status < 300) return true;
  if (wasOvertaken(reply)) return false;
  throw await failureOf(client, table, alias, reply);
}

/** The index that a table is written to by its alias now; null where it is held, lies nowhere, or in two for a moment. Throws IndexError `unavailable`. */
export async function writtenAt(client: Client, table: string, alias: string): Promise<string | null> {
  const reply = await client.send({ method: 'GET', path: `/_alias/${alias}` }).catch((error: unknown) => {
    throw error instanceof Unreachable ? unavailable(table, error.message, error) : error;
  });
  if (reply.status !== 200 && reply.status !== 404) throw await failureOf(client, table, alias, reply);
  const found = Object.entries<{ readonly aliases?: Aliases }>(reply.status === 404 ? {} : (reply.body ?? {}));
  const [[index, { aliases = {} }] = ['', {}]] = found;
  return found.length === 1 && aliases[alias]?.is_write_index !== false ? index : null;
}

type Aliases = Readonly<Record<string, { readonly is_write_index?: boolean }>>;
