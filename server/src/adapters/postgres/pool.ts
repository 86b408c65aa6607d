import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, types, type ClientConfig, type PoolClient } from 'pg';
import type { Logger } from '../../kernel/log.ts';
import type { PostgresConnection } from './connection.ts';
import { isConnectionFailure } from './failure.ts';
import { prepareStatements } from './prepared.ts';

/** A new connection is tried for this long while the server restarts or fails over. */
const CONNECT_TIMEOUT_MS = 8_000;
const CONNECT_PAUSE_MS = 50;
/** Types whose text is read as a number: counts and sums. */
const NUMBER_OIDS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

export function clientConfig(connection: PostgresConnection): ClientConfig {
  const address =
    'url' in connection
      ? { connectionString: connection.url }
      : {
          host: connection.host,
          port: connection.port,
          user: connection.user,
          password: connection.password,
          database: connection.database,
        };
  return {
    ...address,
    application_name: 'ai-studio',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  };
}

/** `timestamptz` is a Date already. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (NUMBER_OIDS.has(oid) && format !== 'binary') return Number;
  return types.getTypeParser(oid, format);
}

/** The pool of a process. `connect` outlives a restart of the server. */
export function createPool(connection: PostgresConnection, size: number, log: Logger): Pool {
  const pool = new Pool({
    ...clientConfig(connection),
    max: size,
    idleTimeoutMillis: 30_000,
  });
  // Idle connections that break are replaced; without a listener they would end the process.
  pool.on('error', (error) => log.debug({ err: error }, 'An idle database connection was lost'));
  // The same for those in use, whose query fails with the reason anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', prepareStatements);
  return pool;
}

/** A connection of the pool, waiting through a restart of the server. Throws the driver's error past the patience. */
export async function connectPatiently(pool: Pool): Promise<PoolClient> {
  const deadline = performance.now() + CONNECT_TIMEOUT_MS;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (pool.ending || !isConnectionFailure(error) || performance.now() > deadline) throw error;
      await sleep(CONNECT_PAUSE_MS);
    }
  }
}
