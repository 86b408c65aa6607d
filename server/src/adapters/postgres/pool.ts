import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool, types, type ClientConfig, type PoolClient } from 'pg';
import type { Logger } from '../../kernel/log.ts';
import { databaseUnavailable } from '../../ports/database.ts';
import { createAvailability } from './availability.ts';
import type { PostgresConnection } from './connection.ts';
import { isConnectionFailure, isServerFull } from './failure.ts';
import { prepareStatements } from './prepared.ts';
import { createSlots } from './slots.ts';

/** How long callers wait out an outage, such as a restart or failover; longer at startup, when the database may start after the service. */
const OUTAGE_WAIT_MS = 1_500;
const STARTUP_WAIT_MS = 8_000;
/** Timeout for getting a free connection. */
const SLOT_TIMEOUT_MS = 15_000;
/** Retry delay when the server has no connection left. */
const SERVER_FULL_RETRY_MS = 50;
/** A query in flight for longer may never complete: the network may have failed silently. */
const SUSPECT_AFTER_MS = 3_000;
const SUSPECT_INTERVAL_MS = 2_000;
const PROBE_TIMEOUT_MS = 3_000;
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

/** Reaches the server over a connection of its own. Rejects where it does not answer; one that refuses answers. */
async function probe(connection: PostgresConnection): Promise<void> {
  const client = new Client({
    ...clientConfig(connection),
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    const isSilent = error instanceof Error && error.message === 'Query read timeout';
    if (isSilent || isConnectionFailure(error)) throw error;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Destroys the socket of a connection; its queries in flight fail. */
const destroySocket = (client: Client): void =>
  void (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();

type Query = (...input: readonly unknown[]) => Promise<unknown>;

/** The connections of a process, as Kysely uses them; made at most `size` at a time. */
export function createConnections(connection: PostgresConnection, size: number, log: Logger) {
  const slots = createSlots(size, SLOT_TIMEOUT_MS);
  const clients = new Set<Client>();
  /** Queries in flight, with their start times. */
  const inFlight = new Map<object, number>();
  /** Pending connects: their queries would be lost if the pool ended now. */
  const pendingConnects = new Set<Promise<unknown>>();
  let waitTimeoutMs = STARTUP_WAIT_MS;

  const availability = createAvailability({
    probe: () => probe(connection),
    log,
    onUnavailable: () => clients.forEach(destroySocket),
    waitTimeoutMs: () => waitTimeoutMs,
  });
  const suspectTimer = setInterval(() => {
    const [longest = Infinity] = inFlight.values();
    if (performance.now() - longest > SUSPECT_AFTER_MS) availability.suspect();
  }, SUSPECT_INTERVAL_MS).unref();

  /** Runs a query and tracks it while it is in flight. */
  async function trackInFlight<T>(ask: () => Promise<T>): Promise<T> {
    const mark = {};
    inFlight.set(mark, performance.now());
    try {
      return await ask();
    } finally {
      inFlight.delete(mark);
    }
  }

  const pool = new Pool({
    ...clientConfig(connection),
    max: size,
    idleTimeoutMillis: 30_000,
    Client: class extends Client {
      constructor(config?: ClientConfig) {
        super(config);
        clients.add(this);
        this.once('end', () => clients.delete(this));
      }
    },
  });
  // Idle connections that break are replaced; without a listener they would end the process.
  pool.on('error', (error) => log.debug({ err: error }, 'idle database connection was lost'));
  // The same for those in use, whose query fails with the reason anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', prepareStatements);
  pool.on('connect', reportConnectionLoss);
  pool.on('release', () => slots.release());

  /** Statements of a connection that is lost fail with `databaseUnavailable`, whatever the driver calls it. */
  function reportConnectionLoss(client: PoolClient): void {
    const plain = client.query.bind(client) as unknown as Query;
    const query: Query = async (...input) => {
      try {
        return await trackInFlight(() => plain(...input));
      } catch (error) {
        if (!isConnectionFailure(error)) throw error;
        availability.lost(error);
        throw databaseUnavailable(error);
      }
    };
    client.query = query as unknown as PoolClient['query'];
  }

  /** A connection of a slot that was taken. Rejects with `databaseUnavailable`. */
  async function connectSlot(): Promise<PoolClient> {
    const deadline = performance.now() + waitTimeoutMs;
    for (;;) {
      await availability.ready();
      try {
        return await trackInFlight(() => pool.connect());
      } catch (error) {
        if (pool.ending) throw error;
        if (isConnectionFailure(error)) availability.lost(error);
        else if (!isServerFull(error)) throw error;
        if (performance.now() > deadline) throw databaseUnavailable(error);
        if (isServerFull(error)) await sleep(SERVER_FULL_RETRY_MS);
      }
    }
  }

  async function acquire(): Promise<PoolClient> {
    await availability.ready();
    await slots.acquire();
    try {
      return await connectSlot();
    } catch (error) {
      slots.release();
      throw error;
    }
  }

  return {
    connect() {
      const connecting = acquire();
      pendingConnects.add(connecting);
      const forget = () => pendingConnects.delete(connecting);
      connecting.then(forget, forget);
      return connecting;
    },
    /** Ends the startup phase: from now on the shorter wait timeout applies. */
    markStarted() {
      waitTimeoutMs = OUTAGE_WAIT_MS;
    },
    /** Resolves when nobody waits for a connection any more. */
    async settled() {
      // A query that was asked for just now reaches the pool a few turns later.
      await nextTurn();
      while (pendingConnects.size > 0) await Promise.allSettled(pendingConnects);
    },
    async end() {
      clearInterval(suspectTimer);
      availability.close();
      await pool.end();
    },
    options: {},
  };
}
