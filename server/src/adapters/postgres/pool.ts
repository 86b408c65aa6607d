import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool, types, type ClientConfig, type PoolClient } from 'pg';
import type { Logger } from '../../kernel/log.ts';
import { databaseAway } from '../../ports/database.ts';
import { createAvailability } from './availability.ts';
import type { PostgresConnection } from './connection.ts';
import { isConnectionFailure, isServerFull } from './failure.ts';
import { prepareStatements } from './prepared.ts';
import { createSlots } from './slots.ts';

/** A lost database is waited for so long: a restart, a failover within the server. At the start it may begin later than the service. */
const PATIENCE_MS = 1_500;
const START_PATIENCE_MS = 8_000;
/** What waits for a free connection for longer is refused. */
const SLOT_TIMEOUT_MS = 15_000;
/** A server whose connections are all taken by others is asked again after this time. */
const FULL_PAUSE_MS = 50;
/** A statement that takes longer may be one that nobody answers any more: the network was cut without a word. */
const DOUBT_AFTER_MS = 3_000;
const DOUBT_INTERVAL_MS = 2_000;
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

/** Cuts a connection without asking the server: what waits on it fails. */
const cut = (client: Client): void =>
  void (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();

type Query = (...input: readonly unknown[]) => Promise<unknown>;

/** The connections of a process, as Kysely uses them; made at most `size` at a time. */
export function createConnections(connection: PostgresConnection, size: number, log: Logger) {
  const slots = createSlots(size, SLOT_TIMEOUT_MS);
  const clients = new Set<Client>();
  /** What the server was asked and has not answered, and since when. */
  const asked = new Map<object, number>();
  /** Callers without a connection: their queries would be lost by an end of the pool. */
  const waiting = new Set<Promise<unknown>>();
  let patienceMs = START_PATIENCE_MS;

  const availability = createAvailability({
    probe: () => probe(connection),
    log,
    onAway: () => clients.forEach(cut),
    patienceMs: () => patienceMs,
  });
  const doubts = setInterval(() => {
    const [longest = Infinity] = asked.values();
    if (performance.now() - longest > DOUBT_AFTER_MS) availability.doubt();
  }, DOUBT_INTERVAL_MS).unref();

  /** Waits for an answer of the server. */
  async function answered<T>(ask: () => Promise<T>): Promise<T> {
    const mark = {};
    asked.set(mark, performance.now());
    try {
      return await ask();
    } finally {
      asked.delete(mark);
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
  pool.on('error', (error) => log.debug({ err: error }, 'An idle database connection was lost'));
  // The same for those in use, whose query fails with the reason anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', prepareStatements);
  pool.on('connect', tellLoss);
  pool.on('release', () => slots.give());

  /** Statements of a connection that is lost fail with `databaseAway`, whatever the driver calls it. */
  function tellLoss(client: PoolClient): void {
    const plain = client.query.bind(client) as unknown as Query;
    const query: Query = async (...input) => {
      try {
        return await answered(() => plain(...input));
      } catch (error) {
        if (!isConnectionFailure(error)) throw error;
        availability.lost(error);
        throw databaseAway(error);
      }
    };
    client.query = query as unknown as PoolClient['query'];
  }

  /** A connection of a slot that was taken. Rejects with `databaseAway`. */
  async function connectSlot(): Promise<PoolClient> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      await availability.ready();
      try {
        return await answered(() => pool.connect());
      } catch (error) {
        if (pool.ending) throw error;
        if (isConnectionFailure(error)) availability.lost(error);
        else if (!isServerFull(error)) throw error;
        if (performance.now() > deadline) throw databaseAway(error);
        if (isServerFull(error)) await sleep(FULL_PAUSE_MS);
      }
    }
  }

  async function take(): Promise<PoolClient> {
    await availability.ready();
    await slots.take();
    try {
      return await connectSlot();
    } catch (error) {
      slots.give();
      throw error;
    }
  }

  return {
    connect() {
      const connecting = take();
      waiting.add(connecting);
      const forget = () => waiting.delete(connecting);
      connecting.then(forget, forget);
      return connecting;
    },
    /** Has reached the database: from now on it is there already. */
    started() {
      patienceMs = PATIENCE_MS;
    },
    /** Resolves when nobody waits for a connection any more. */
    async settled() {
      // A query that was asked for just now reaches the pool a few turns later.
      await nextTurn();
      while (waiting.size > 0) await Promise.allSettled(waiting);
    },
    async end() {
      clearInterval(doubts);
      availability.close();
      await pool.end();
    },
    options: {},
  };
}
