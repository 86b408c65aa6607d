import { Unreachable, type Client, type Reply } from './client.ts';
import { failureOf, unavailable } from './failure.ts';

/** Where a table lies in an index that it shares. */
export interface Place {
  readonly index: string;
  readonly alias: string;
  readonly table: string;
  readonly slot: number;
}

/** Indices that tables share have a sign in their names that no table has. */
const SHARED = '-i-s.';
export const isShared = (index: string): boolean => index.includes(SHARED);
export const sharedNames = (prefix: string, group: string) => ({
  all: `${prefix}${SHARED}${group}-*`,
  index: (number: number): string => `${prefix}${SHARED}${group}-${number}`,
});

/** By what a table is written and read: an alias that sees its own rows alone, all of which lie in one shard. */
export const aliasOf = ({ index, alias, table, slot }: Place, isWritten: boolean) => ({
  index,
  alias,
  routing: String(slot),
  filter: { term: { table } },
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
