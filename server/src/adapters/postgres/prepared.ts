import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { PREPARED } from '../../ports/database.ts';

/** The server does not know the prepared statement (a pooler switched connections), or its result type has changed. */
const STALE_STATEMENT_CODES: ReadonlySet<unknown> = new Set(['26000', '0A000']);

type Queries = (text: string, values: readonly unknown[]) => Promise<unknown>;

/**
 * Has a connection read and plan statements that begin with {@link PREPARED} once only. Where the server does not keep them they
 * are sent like others from then on.
 */
export function prepareStatements(client: PoolClient): void {
  const runQuery = client.query.bind(client) as unknown as Queries & ((config: object) => Promise<unknown>);
  const names = new Map<string, string>();
  let isSupported = true;
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? createHash('sha1').update(text).digest('hex');
    names.set(text, name);
    return name;
  };
  const query = (text: unknown, values: unknown, ...rest: readonly unknown[]) => {
    if (!isSupported || typeof text !== 'string' || !text.startsWith(PREPARED) || rest.length > 0)
      return (runQuery as (...all: unknown[]) => Promise<unknown>)(text, values, ...rest);
    return runQuery({ name: nameOf(text), text, values }).catch((error: unknown) => {
      if (!STALE_STATEMENT_CODES.has((error as { code?: unknown }).code)) throw error;
      isSupported = false;
      return runQuery(text, values as readonly unknown[]);
    });
  };
  client.query = query as unknown as PoolClient['query'];
}
