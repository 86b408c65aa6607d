import { openRedisBus } from '../adapters/distributed/redis-bus.ts';
import { findRunningPostgres, refuseLostDatabase, startEmbeddedPostgres } from '../adapters/embedded/postgres/index.ts';
import { createPostgresBus, openDatabase, type PostgresConnection } from '../adapters/postgres/index.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
export { checkSchema } from '../migrations/applied.ts';
import { migrations } from '../migrations/index.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database, MigrateReport } from '../ports/database.ts';
import type { Base } from './parts.ts';

// The part of the composition that opens the database: the operator's, or the service's own.

/** The database server of this installation: the operator's, or one of the service's own. */
export interface Store {
  readonly connection: PostgresConnection;
  /** Name for people. */
  readonly label: string;
  /** Whether no other installation can use it: it is this one's own, and the data folder is taken by this start. */
  readonly exclusive: boolean;
  /** Copies every row before the schema changes; null where the operator looks after that. */
  readonly copyRows: ((database: Database) => Promise<string>) | null;
  /** Safe to repeat. */
  close(): Promise<void>;
}

interface StoreOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly onProgress: (message: string) => void;
}

const noop = async () => undefined;

const operatorStore = (url: string): Store => ({
  connection: { url },
  label: 'PostgreSQL of database.url',
  exclusive: false,
  copyRows: null,
  close: noop,
});

/** Starts the service's own PostgreSQL, or names the operator's. Throws StudioError `conflict`, `unavailable`. */
export async function openStore({ config, log, onProgress }: StoreOptions): Promise<Store> {
  const { url, pool_size } = config.database;
  if (url !== undefined) return operatorStore(url);
  const postgres = await startEmbeddedPostgres({
    dataDir: config.data_dir,
    log,
    onProgress,
    // Each worker has its pool and a connection that listens; some are left for commands.
    maxConnections: Math.max(100, (pool_size + 2) * config.server.workers + 20),
  });
  return {
    connection: postgres.connection,
    label: 'embedded PostgreSQL',
    exclusive: true,
    copyRows: (database) => postgres.copyRows(database),
    close: () => postgres.close(),
  };
}

/** The store of a service that is running here, or the operator's; null where none runs now. */
export function runningStore({ database: { url }, data_dir }: Config): Store | null {
  if (url !== undefined) return operatorStore(url);
  const connection = findRunningPostgres(data_dir);
  if (connection === null) return null;
  return {
    connection,
    label: 'embedded PostgreSQL of the running service',
    exclusive: false,
    copyRows: null,
    close: noop,
  };
}

/** The running store, else one of our own until it is closed: for commands. */
export const openCommandStore = async (options: StoreOptions): Promise<Store> =>
  runningStore(options.config) ?? openStore(options);

/** Opens the database of a store. Throws StudioError `unavailable`. */
export const openStoreDatabase = (connection: PostgresConnection, log: Logger, poolSize: number): Promise<Database> =>
  openDatabase({ connection, log, poolSize });

/** Messages between the processes of this installation: over its database, which all have anyway, or over Redis. */
export async function createBus({ redis }: Pick<Config, 'redis'>, database: Database, log: Logger): Promise<Bus> {
  return redis.bus && redis.url !== undefined
    ? openRedisBus({ url: redis.url, prefix: redis.prefix, log })
    : createPostgresBus(database);
}

/** The database, and the bus over which processes notify each other of changes. */
export interface Data {
  readonly db: Database;
  readonly bus: Bus;
}

/** The same, with the box that decrypts its secrets. */
export interface SealedData extends Data {
  readonly box: SecretBox;
}

/** Opens the database of a process that answers requests or keeps what others answer with. */
export async function openData(
  { config, log, parts }: Base,
  connection: PostgresConnection,
  poolSize: number,
): Promise<Data> {
  const db = parts.own('database', await openStoreDatabase(connection, log, poolSize));
  return { db, bus: parts.own('bus', await createBus(config, db, log)) };
}

/** Brings the schema up to date. Throws StudioError `conflict` for a lost or newer database. */
export async function migrateStore(
  database: Database,
  { copyRows, config, onProgress }: Pick<Store, 'copyRows'> & Pick<StoreOptions, 'config' | 'onProgress'>,
): Promise<MigrateReport> {
  await refuseLostDatabase(database, config.data_dir);
  return database.migrate({
    migrations,
    onProgress,
    beforeChange: async () => {
      if (copyRows === null) return;
      onProgress('Keeping a copy of the data before the change');
      onProgress(`Copied to ${await copyRows(database)}`);
    },
  });
}

/** How long the database may take to answer before the service is not ready. */
const HEALTH_TIMEOUT_MS = 2_000;

/** Whether the database answers. */
export const databaseCheck = (db: Database) => ({
  name: 'database',
  check: async () => (await db.health(AbortSignal.timeout(HEALTH_TIMEOUT_MS))).reason,
});
