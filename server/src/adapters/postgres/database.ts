import { Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import {
  type Database,
  databaseUnavailable,
  type DatabaseHealth,
  isDatabaseUnavailable,
  type Tables,
} from '../../ports/database.ts';
import type { PostgresConnection } from './connection.ts';
import { isTransactionConflict, isConnectionFailure } from './failure.ts';
import { createListener } from './listener.ts';
import { migrate } from './migrate.ts';
import { createConnections } from './pool.ts';

export interface OpenDatabaseOptions {
  readonly connection: PostgresConnection;
  readonly log: Logger;
  /** Connections of this process at most; 10 by default. */
  readonly poolSize?: number;
}

/** Oldest PostgreSQL that the statements here work with. Source: architecture section 5. */
const MIN_VERSION = 15;

/** Attempts of a transaction on conflicts, with growing delays. */
const MAX_ATTEMPTS = 6;
const BASE_RETRY_DELAY_MS = 20;

/** Retries a transaction that was rolled back because of concurrent ones. Its side effects outside the database are repeated too. */
async function retryOnConflict<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) throw error;
      // Random, so that two conflicting transactions do not retry at the same time.
      await sleep(Math.random() * BASE_RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}

/**
 * Opens the database, the service's own or the operator's alike. Throws StudioError `unavailable` when it can't be
 * reached, does not let the user in, or is too old.
 */
export async function openDatabase({ connection, log, poolSize = 10 }: OpenDatabaseOptions): Promise<Database> {
  const connections = createConnections(connection, poolSize, log);
  const listener = createListener(connection, log);
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) });
  let closing: Promise<void> | null = null;

  const database: Database = {
    query,
    transaction: (work) => retryOnConflict(() => query.transaction().execute(work)),
    async notify(channel, payload) {
      await sql`SELECT pg_notify(${channel}, ${payload})`.execute(query);
    },
    async listen(channel, onPayload, onGap) {
      try {
        return await listener.listen(channel, onPayload, onGap);
      } catch (error) {
        throw isConnectionFailure(error) ? databaseUnavailable(error) : error;
      }
    },
    migrate: (options) => migrate(query, options),
    health: (signal) => health(query, signal),
    close: () => (closing ??= close()),
  };
  async function close(): Promise<void> {
    await listener.close();
    await connections.settled();
    await query.destroy();
  }
  try {
    await checkVersion(query);
    connections.markStarted();
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

async function checkVersion(query: Kysely<Tables>): Promise<void> {
  const version = await serverVersion(query).catch((cause: unknown) => {
    throw new StudioError('unavailable', `The database can't be opened: ${reasonOf(cause)}. Check database.url.`, {
      cause,
    });
  });
  if (version < MIN_VERSION) {
    throw new StudioError('unavailable', `The database is PostgreSQL ${version}; ${MIN_VERSION} or newer is needed.`);
  }
}

async function serverVersion(query: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ server_version_num: string }>`SHOW server_version_num`.execute(query);
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
}

async function health(query: Kysely<Tables>, signal: AbortSignal): Promise<DatabaseHealth> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
  });
  try {
    signal.throwIfAborted();
    await Promise.race([sql`SELECT 1`.execute(query), aborted]);
    return { ok: true, reason: null };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** Failures to connect may come without a message, but then with a code. */
function reasonOf(error: unknown): string {
  if (isDatabaseUnavailable(error)) return reasonOf((error as Error).cause);
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
