import cluster from 'node:cluster';
import { join } from 'node:path';
import { findRunningPostgres, refuseLostDatabase, startEmbeddedPostgres } from './adapters/embedded/postgres/index.ts';
import { createClusterRateLimiter, serveRateLimiter } from './adapters/embedded/cluster-rate-limiter.ts';
import { createMemoryRateLimiter } from './adapters/embedded/memory-rate-limiter.ts';
import { createBuiltinEngine } from './adapters/engines/builtin/index.ts';
import { createLlamaEngine } from './adapters/engines/llama/index.ts';
import { createOidc } from './adapters/oidc/index.ts';
import { createOpenAiEngine, lookAtOpenAiServer } from './adapters/engines/openai/index.ts';
import { createPostgresBus, openDatabase, type PostgresConnection } from './adapters/postgres/index.ts';
import { createRouter, type FetchImage, type EngineAddress } from './chat/index.ts';
import { openDocuments } from './compose/documents.ts';
import {
  joinLocalModels,
  modelFolder,
  modelMemoryBudget,
  openLocalModels,
  shareLocalModels,
} from './compose/local-models.ts';
import { reservedEngineNames } from './compose/served-catalogue.ts';
import { openAnswers } from './compose/answers.ts';
import { allowanceOf, openConsole, type ConfiguredEngine, type ConsoleRoute } from './console/index.ts';
import type { Config, EngineEntry } from './config/index.ts';
import { keepRetention } from './conversations/index.ts';
import { createHttp, mergeFigures, type Figures, type Http } from './http/index.ts';
import {
  createFirstAdministrator,
  createKeyRing,
  createPasswords,
  ensureDefaultTenant,
  issueFirstKey,
  makeSetupLink,
  registerInitialKey,
  type IdentityDeps,
  type MadeLink,
  type PasswordCost,
  type SsoDeps,
} from './identity/index.ts';
import { createSecretBox } from './kernel/secret-box.ts';
import { readSecretKey } from './adapters/embedded/secret-key.ts';
import type { TenantId } from './kernel/context.ts';
import type { Logger } from './kernel/log.ts';
import { appliedMigrations } from './migrations/applied.ts';
import { migrations } from './migrations/index.ts';
import { createGuardedFetch } from './net-guard/index.ts';
import type { Catalogue } from './models/catalogue.ts';
import {
  type OpenEngine,
  createEngineHealth,
  createFinder,
  createServerEngines,
  createServerVerbs,
} from './model-servers/index.ts';
import { LOCAL_ENGINE } from './models/local.ts';
import type { Bus } from './ports/bus.ts';
import type { Database, MigrateReport } from './ports/database.ts';
import type { LookAtServer } from './ports/server-look.ts';
import { createMeter, keepMerging } from './usage/index.ts';

// The only place that picks adapters. Everything else takes what it needs as an argument.

export { openModelStore, reportOnLocalModels } from './compose/local-models.ts';
export { mergeFigures };
export type { Figures, PostgresConnection };

/** The database server of this installation: the operator's, or one of the service's own. */
export interface Store {
  readonly connection: PostgresConnection;
  /** What people are told it is. */
  readonly label: string;
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

const nothing = async () => undefined;

const ownersStore = (url: string): Store => ({
  connection: { url },
  label: 'PostgreSQL of database.url',
  copyRows: null,
  close: nothing,
});

/** Starts the service's own PostgreSQL, or names the operator's. Throws StudioError `conflict`, `unavailable`. */
export async function openStore({ config, log, onProgress }: StoreOptions): Promise<Store> {
  const { url, pool_size } = config.database;
  if (url !== undefined) return ownersStore(url);
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
    copyRows: (database) => postgres.copyRows(database),
    close: () => postgres.close(),
  };
}

/** The store of a service that is running here, or the operator's; null where none runs now. */
export function runningStore({ database: { url }, data_dir }: Config): Store | null {
  if (url !== undefined) return ownersStore(url);
  const connection = findRunningPostgres(data_dir);
  if (connection === null) return null;
  return { connection, label: 'embedded PostgreSQL of the running service', copyRows: null, close: nothing };
}

/** The running store, else one of our own until it is closed: for commands. */
export const borrowStore = async (options: StoreOptions): Promise<Store> =>
  runningStore(options.config) ?? openStore(options);

/** What the schema lacks, and what it has that this version does not know. */
export async function lookAtSchema(
  database: Database,
): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }> {
  const applied = await appliedMigrations(database);
  const known = migrations.map(({ name }) => name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Opens the database of a store. Throws StudioError `unavailable`. */
export const openStoreDatabase = (connection: PostgresConnection, log: Logger, poolSize: number): Promise<Database> =>
  openDatabase({ connection, log, poolSize });

/** Messages between the processes of this installation. */
export const createBus = (database: Database): Bus => createPostgresBus(database);

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

/** What a start found out about keys. */
export interface FirstKeys {
  readonly tenantId: TenantId;
  /** The value of the key that this start issued: to be shown once; null when there was one before. */
  readonly issued: string | null;
  /** Whether STUDIO_INIT_API_KEY was registered by this start. */
  readonly registered: boolean;
}

/** Makes the first tenant and its first key where there are none. Throws StudioError `invalid_request` for a bad given key. */
export async function prepareKeys(database: Database, initApiKey: string | null): Promise<FirstKeys> {
  const bus = createBus(database);
  try {
    const tenantId = await ensureDefaultTenant({ db: database });
    const deps = { db: database, bus };
    if (initApiKey !== null) {
      return { tenantId, issued: null, registered: await registerInitialKey(deps, tenantId, initApiKey) };
    }
    const first = await issueFirstKey(deps, tenantId);
    return { tenantId, issued: first?.value ?? null, registered: false };
  } finally {
    await bus.close();
  }
}

function openAiAddresses(name: string, entry: EngineEntry, connectTimeoutMs: number, log: Logger): EngineAddress[] {
  return entry.addresses.map((address, i) => {
    const { url, weight } = typeof address === 'string' ? { url: address, weight: 1 } : address;
    const engine = createOpenAiEngine({
      id: entry.addresses.length === 1 ? name : `${name}/${i}`,
      baseUrl: url,
      apiKey: entry.api_key ?? null,
      headers: entry.headers,
      dialect: entry.dialect,
      connectTimeoutMs,
      maxConnections: entry.max_connections,
      log,
    });
    return { engine, weight };
  });
}

/** Calls at once to each server that was connected in the console. */
const CONNECTED_MOST_CALLS = 1_024;

/** Opens the engines of servers that were connected in the console. */
const openConnected =
  ({ timeouts }: Config, log: Logger): OpenEngine =>
  ({ name, baseUrl, apiKey }) => {
    const entry: EngineEntry = {
      kind: 'openai',
      addresses: [baseUrl],
      ...(apiKey === null ? {} : { api_key: apiKey }),
      headers: {},
      dialect: 'auto',
      max_connections: CONNECTED_MOST_CALLS,
    };
    return openAiAddresses(name, entry, timeouts.connect_ms, log);
  };

/** The engines of the configuration as people see them: without what their addresses may hold of secrets. */
const configuredEngines = ({ engines }: Config): readonly ConfiguredEngine[] =>
  Object.entries(engines).map(([name, { addresses, api_key }]) => {
    const [first] = addresses;
    const { origin, pathname } = new URL(typeof first === 'string' ? first : (first?.url ?? 'http://none'));
    return { name, baseUrl: origin + pathname.replace(/\/+$/, ''), hasApiKey: api_key !== undefined };
  });

/** The engines of the configuration and the built-in one, by name. */
export function createEngines({
  config,
  log,
}: {
  readonly config: Config;
  readonly log: Logger;
}): ReadonlyMap<string, readonly EngineAddress[]> {
  const engines = new Map<string, readonly EngineAddress[]>([
    ['builtin', [{ engine: createBuiltinEngine(), weight: 1 }]],
  ]);
  for (const [name, entry] of Object.entries(config.engines))
    engines.set(name, openAiAddresses(name, entry, config.timeouts.connect_ms, log));
  return engines;
}

/** Ends the connections of all engines. */
export async function closeEngines(engines: ReadonlyMap<string, readonly EngineAddress[]>): Promise<void> {
  await Promise.all([...engines.values()].flat().map(({ engine }) => engine.close()));
}

/** Asks any address for its models. */
export const lookAtServer: LookAtServer = lookAtOpenAiServer;

/** Media types of images that models take. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Fetches images that requests give by address; null where the operator does not allow it. */
function createFetchImage({ images, network }: Config): FetchImage | null {
  if (!images.fetch) return null;
  const fetchGuarded = createGuardedFetch({ allow: network.allow });
  const { max_bytes: maxBytes, timeout_ms: timeoutMs } = images;
  return (url, signal) => fetchGuarded(url, { maxBytes, timeoutMs, types: IMAGE_TYPES, signal });
}

/** What the verbs of people work with. */
export const identityOf = (config: Config, db: Database, passwordCost?: PasswordCost): IdentityDeps => ({
  db,
  passwords: createPasswords(passwordCost === undefined ? {} : { cost: passwordCost }),
  box: createSecretBox(config.secret_key ?? readSecretKey(config.data_dir)),
  now: Date.now,
});

/** The single sign-on of the configuration; null where there is none. */
function openSso({ console: { oidc } }: Config, identity: IdentityDeps, log: Logger): SsoDeps | null {
  if (oidc === undefined) return null;
  const { issuer, client_id: clientId, client_secret: clientSecret, name } = oidc;
  return {
    ...identity,
    provider: createOidc({ issuer, clientId, clientSecret, name, log }),
    allowedDomains: oidc.allowed_domains,
    defaultRole: oidc.default_role,
  };
}

/**
 * Where nobody has an account: makes the given administrator, or a link with which somebody makes theirs.
 * Throws StudioError `invalid_request` for a password that is too easy to guess.
 */
export async function prepareFirstPerson(
  config: Config,
  database: Database,
  administrator: { readonly email: string; readonly password: string } | null,
): Promise<MadeLink | null> {
  const deps = identityOf(config, database);
  if (administrator !== null) {
    await createFirstAdministrator(deps, administrator);
    return null;
  }
  return makeSetupLink(deps);
}

export interface NodeOptions {
  readonly config: Config;
  readonly catalogue: Catalogue;
  readonly connection: PostgresConnection;
  readonly version: string;
  readonly log: Logger;
  /** Text of /metrics where several processes share the work. */
  readonly renderMetrics?: () => Promise<string>;
  /** Whether the console's answers are checked against their form, as tests do. */
  readonly checkReplies?: boolean;
  /** Work of hashing a password, where it is not the usual, as in tests. */
  readonly passwordCost?: PasswordCost;
}

/** One process that answers requests. */
export interface StudioNode {
  readonly port: number;
  /** The catalogue that requests are answered by. */
  readonly catalogue: Catalogue;
  readonly metrics: Http['metrics'];
  /** Routes of the console's own interface. */
  readonly consoleRoutes: readonly ConsoleRoute[];
  /** Stops accepting, lets open answers finish for so long, writes what is counted, and ends. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/** How long the database may take to answer before the service is not ready. */
const HEALTH_PATIENCE_MS = 2_000;

/** In the primary process of several: counts the requests of all workers. Returns what ends it. */
export function countForWorkers(): () => Promise<void> {
  const limiter = createMemoryRateLimiter(Date.now);
  const stop = serveRateLimiter(limiter);
  return async () => {
    stop();
    await limiter.close();
  };
}

/** The models that several processes use. */
export interface ModelKeeper {
  readonly catalogue: Catalogue;
  close(): Promise<void>;
}

/** In the primary process of several: keeps the models that all workers use. */
export async function keepModelsForWorkers({
  config,
  catalogue,
  connection,
  log,
}: Pick<NodeOptions, 'config' | 'catalogue' | 'connection' | 'log'>): Promise<ModelKeeper> {
  const database = await openStoreDatabase(connection, log, 2);
  const bus = createBus(database);
  const closeStore = async () => {
    await bus.close();
    await database.close();
  };
  try {
    const { box } = identityOf(config, database);
    const local = await openLocalModels({ config, configured: catalogue, database, bus, box, log });
    const stopSharing = shareLocalModels(local);
    return {
      catalogue: local.catalogue,
      async close() {
        stopSharing();
        await local.close();
        await closeStore();
      },
    };
  } catch (error) {
    await closeStore();
    throw error;
  }
}

/** Address that clients on this machine reach the service at. */
export function addressOf({ server }: Config, port: number = server.port): string {
  if (server.public_url !== undefined) return server.public_url.replace(/\/+$/, '');
  const everywhere = server.host === '0.0.0.0' || server.host === '::';
  const host = everywhere ? '127.0.0.1' : server.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Wires the features and starts to listen. What was opened is closed again when a later step fails. */
export async function startNode({
  config,
  catalogue,
  connection,
  version,
  log,
  renderMetrics,
  checkReplies = false,
  passwordCost,
}: NodeOptions): Promise<StudioNode> {
  const opened: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | null = null;
  const closeAll = async () => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    const database = await openStoreDatabase(connection, log, config.database.pool_size);
    opened.push(() => database.close());
    const bus = createBus(database);
    opened.push(() => bus.close());
    const keys = createKeyRing({ db: database, bus, log });
    opened.push(() => keys.close());
    await keys.start();
    const meter = createMeter({ db: database, log, spillDir: join(config.data_dir, 'usage') });
    opened.push(() => meter.close());
    const limiter = cluster.isWorker ? createClusterRateLimiter() : createMemoryRateLimiter(Date.now);
    opened.push(() => limiter.close());
    const identity = identityOf(config, database, passwordCost);
    const { box } = identity;
    const local = cluster.isWorker
      ? await joinLocalModels({ config, configured: catalogue, database, bus, log })
      : await openLocalModels({ config, configured: catalogue, database, bus, box, log });
    opened.push(() => local.close());
    const engines = createEngines({ config, log });
    opened.push(() => closeEngines(engines));
    const router = createRouter({ engines, limits: config.timeouts, log });
    opened.push(() => router.close());
    const llama = createLlamaEngine({ host: local.host, log, loadMs: config.local_models.load_timeout_s * 1000 });
    opened.push(() => llama.close());
    router.setEngine(LOCAL_ENGINE, [{ engine: llama, weight: 1 }]);
    const serverEngines = createServerEngines({ router, open: openConnected(config, log) });
    opened.push(() => serverEngines.close());
    local.useServers(serverEngines.apply);

    const defaultLimits = {
      requestsPerMinute: config.limits.requests_per_minute,
      tokensPerMinute: config.limits.tokens_per_minute,
    };
    const answers = openAnswers({
      db: database,
      catalogue: local.catalogue,
      router,
      limiter,
      meter: { record: (row) => http.count(row) },
      log,
      maxJsonBytes: config.server.json_bytes,
    });
    opened.push(() => answers.close());
    opened.push(keepRetention({ db: database, log }), keepMerging({ db: database, log }));

    const checks = [
      {
        name: 'database',
        check: async () => (await database.health(AbortSignal.timeout(HEALTH_PATIENCE_MS))).reason,
      },
    ];
    const stopping = new AbortController();
    const console = openConsole({
      ...identity,
      models: {
        store: local.store,
        catalogue: local.catalogue,
        configured: catalogue,
        folder: modelFolder(config),
        memoryBudgetBytes: modelMemoryBudget(config),
        servers: createServerVerbs({
          db: database,
          bus,
          box,
          servers: local.servers,
          look: lookAtServer,
          configured: catalogue,
          catalogue: local.catalogue,
          taken: reservedEngineNames(config),
        }),
        health: createEngineHealth({
          states: () => router.states(),
          addressesOf: (name) => engines.get(name) ?? serverEngines.of(name),
        }),
        finder: config.probe.enabled
          ? createFinder({
              ports: config.probe.ports.filter((one) => one !== config.server.port),
              look: lookAtServer,
            })
          : () => Promise.resolve([]),
        engines: configuredEngines(config),
        closing: stopping.signal,
      },
      checks,
      answers,
      flush: () => meter.flush(),
      states: () => router.states(),
      defaultLimits,
      bus,
      catalogue: local.catalogue,
      log,
      version,
      configuredUrl: config.server.public_url ?? null,
      trustProxy: config.server.trust_proxy,
      sso: openSso(config, identity, log),
      checkReplies,
    });

    const documents = await openDocuments(config, { db: database, bus, log, stopping: stopping.signal });
    opened.push(() => documents.close());
    let port = config.server.port;
    const http = createHttp({
      version,
      catalogue: local.catalogue,
      router,
      keys,
      limiter,
      defaultLimits,
      meter,
      log,
      checks,
      maxJsonBytes: config.server.json_bytes,
      maxJsonWithImagesBytes: config.server.json_with_images_bytes,
      trustProxy: config.server.trust_proxy,
      fetchImage: createFetchImage(config),
      documents: documents.options,
      metricsToken: config.metrics.token ?? null,
      renderMetrics,
      serveMetrics: config.metrics.port === undefined,
      console,
      allowanceOf: (tenantId) => allowanceOf({ db: database, defaultLimits }, tenantId),
      consoleFolder: join(import.meta.dirname, '../../console/dist'),
      publicUrl: () => addressOf(config, port),
    });
    port = await http.listen(config.server.host, config.server.port);
    const close = async (graceMs: number) => {
      // Whoever follows what happens to the models does not hold the stop up, nor do documents of the background.
      stopping.abort();
      await http.close(graceMs);
      await closeAll();
    };
    return {
      port,
      catalogue: local.catalogue,
      consoleRoutes: console.routes,
      metrics: http.metrics,
      close: (graceMs) => (closing ??= close(graceMs)),
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
