import cluster from 'node:cluster';
import { join } from 'node:path';
import { serveRateLimiter } from './adapters/embedded/cluster-rate-limiter.ts';
import { createMemoryRateLimiter } from './adapters/embedded/memory-rate-limiter.ts';
import { createLlamaEngine } from './adapters/engines/llama/index.ts';
import type { PostgresConnection } from './adapters/postgres/index.ts';
import {
  createPrepare,
  createPrepareText,
  createRouter,
  type FetchImage,
  inlineImages,
  createAdmission,
  createOpenChat,
  createRunChat,
  createServiceQuestions,
} from './inference/index.ts';
import { openDocuments } from './compose/documents.ts';
import { closeEngines, configuredEngines, createEngines, probeServer, openConnected } from './compose/engines.ts';
import { identityOf, openSso } from './compose/identity.ts';
import { openLimiter } from './compose/limiter.ts';
import { createBus, openStoreDatabase } from './compose/store.ts';
import {
  joinLocalModels,
  modelFolder,
  modelMemoryBudget,
  openLocalModels,
  shareLocalModels,
} from './compose/local-models.ts';
import { reservedEngineNames } from './compose/served-catalogue.ts';
import { openA2a } from './compose/a2a.ts';
import { openAgents } from './compose/agents.ts';
import { openPrivacy } from './compose/privacy.ts';
import { openSpeech } from './compose/speech.ts';
import { openToolServers } from './compose/tools.ts';
import { openRetrieval } from './compose/retrieval.ts';
import { openConsole, type ConsoleRoute } from './console/index.ts';
import { addressOf, type Config } from './config/index.ts';
import { createAnswers, keepRetention } from './conversations/index.ts';
import { createHttp, mergeFigures, type Figures, type Http } from './http/index.ts';
import { createKeyRing, onPersonChange, type PasswordCost, personActor } from './identity/index.ts';
import type { Logger } from './kernel/log.ts';
import { limitsOf } from './kernel/rate-limits.ts';
import { createGuardedFetch } from './net-guard/index.ts';
import type { Catalogue } from './models/catalogue.ts';
import { createEngineHealth, createFinder, createServerEngines, createServerVerbs } from './model-servers/index.ts';
import { LOCAL_ENGINE } from './models/local.ts';
import { createMeter, createMetering, startMerging } from './usage/index.ts';

// The only place that picks adapters. Everything else takes what it needs as an argument.

export { mergeFigures };
export type { Figures, PostgresConnection };

/** Media types of images that models take. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Fetches images that requests give by address; null where the operator does not allow it. */
function createFetchImage({ images, network }: Config): FetchImage | null {
  if (!images.fetch) return null;
  const fetchGuarded = createGuardedFetch({ allow: network.allow });
  const { max_bytes: maxBytes, timeout_ms: timeoutMs } = images;
  return (url, signal) => fetchGuarded(url, { maxBytes, timeoutMs, types: IMAGE_TYPES, signal });
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
const HEALTH_TIMEOUT_MS = 2_000;

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
  const bus = await createBus(config, database, log);
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
    // What cannot be closed must not keep open what comes after it: the process would never end.
    for (const close of opened.toReversed())
      try {
        await close();
      } catch (error) {
        log.error({ err: error }, 'A part of the service could not be closed in order');
      }
  };
  try {
    const database = await openStoreDatabase(connection, log, config.database.pool_size);
    opened.push(() => database.close());
    const bus = await createBus(config, database, log);
    opened.push(() => bus.close());
    const keys = createKeyRing({ db: database, bus, log });
    opened.push(() => keys.close());
    await keys.start();
    const meter = createMeter({ db: database, log, spillDir: join(config.data_dir, 'usage') });
    opened.push(() => meter.close());
    const { limiter, limitsLocal, checks: limiterChecks } = await openLimiter(config, log);
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
    const speech = await openSpeech(config, { router, log });
    opened.push(() => speech.close());

    const defaultLimits = limitsOf(config.limits);
    const metering = createMetering(meter);
    const admission = createAdmission(limiter);
    const run = createRunChat({ router, metering });
    const fetchImage = createFetchImage(config);
    const prepare = createPrepare({
      catalogue: local.catalogue,
      maxJsonBytes: config.server.json_bytes,
      mayFetchImages: fetchImage !== null,
    });
    // What the service itself asks has no images.
    const askModel = createServiceQuestions({ catalogue: local.catalogue, prepare, run });
    const privacy = openPrivacy(config, { db: database, box, log, askModel });
    opened.push(() => privacy.close());
    const openChat = createOpenChat({
      check: (bytes, allowed) => ({ chat: prepare(bytes, allowed) }),
      inlineImages: (bytes, signal) =>
        fetchImage
          ? inlineImages(bytes, { fetchImage, maxBytes: config.server.json_with_images_bytes, signal })
          : Promise.resolve(bytes),
      admission,
      guard: privacy.guard,
      run,
    });
    const answers = createAnswers({ db: database, box, catalogue: local.catalogue, openChat, log });
    opened.push(() => answers.close());
    opened.push(keepRetention({ db: database, log }), startMerging({ db: database, log }));

    const checks = [
      {
        name: 'database',
        check: async () => (await database.health(AbortSignal.timeout(HEALTH_TIMEOUT_MS))).reason,
      },
      ...limiterChecks,
    ];
    const stopping = new AbortController();
    const documents = await openDocuments(config, { db: database, bus, metering, log, stopping: stopping.signal });
    opened.push(() => documents.close());
    const retrieval = openRetrieval(config, {
      db: database,
      bus,
      catalogue: local.catalogue,
      router,
      metering,
      documents: documents.options,
      showing: documents.showing,
      stopping: stopping.signal,
      log,
    });
    opened.push(() => retrieval.close());
    const tools = openToolServers(config, { db: database, box, log });
    opened.push(() => tools.close());
    const agents = openAgents(config, {
      db: database,
      bus,
      catalogue: local.catalogue,
      openChat,
      defaultLimits,
      documents: documents.options,
      retrieval: retrieval.options.retrieval,
      privacy: privacy.options,
      guard: privacy.guard,
      served: tools.served,
      stopping: stopping.signal,
      log,
    });
    opened.push(() => agents.close());
    let port = config.server.port;
    const a2a = openA2a(config, {
      db: database,
      box,
      runs: agents.runs,
      files: agents.files,
      address: () => addressOf(config, port),
      log,
    });
    opened.push(() => a2a.close());
    const console = openConsole({
      ...identity,
      agents: { servers: (tenantId) => tools.servers.list(tenantId), files: agents.files },
      toolServers: tools.servers,
      agentRuns: {
        runs: agents.runs,
        files: agents.files,
        maxBytes: documents.parser.maxBytes,
        folder: documents.parser.folder,
      },
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
          probeServer,
          configured: catalogue,
          catalogue: local.catalogue,
          taken: reservedEngineNames(config),
        }),
        health: createEngineHealth({
          states: () => router.states(),
          addressesOf: (name) => engines.get(name) ?? serverEngines.addressesOf(name),
        }),
        finder: config.probe.enabled
          ? createFinder({
              ports: config.probe.ports.filter((one) => one !== config.server.port),
              probeServer,
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
      admission,
      parser: documents.parser,
      privacy: { ...privacy.options, counts: privacy.counts },
      speech: {
        ...speech.options,
        catalogue: local.catalogue,
        router,
        metering,
      },
      collections: retrieval.collections,
      bus,
      catalogue: local.catalogue,
      log,
      version,
      configuredUrl: config.server.public_url ?? null,
      trustProxy: config.server.trust_proxy,
      sso: openSso(config, identity, log),
      checkReplies,
    });
    opened.push(
      await onPersonChange(bus, (userId) => {
        console.askAgain(userId);
        answers.askAgain(userId);
      }),
    );

    const http = createHttp({
      version,
      catalogue: local.catalogue,
      router,
      keys,
      admission,
      defaultLimits,
      metering,
      openChat,
      checkText: createPrepareText(prepare),
      log,
      checks,
      maxJsonBytes: config.server.json_bytes,
      maxJsonWithImagesBytes: config.server.json_with_images_bytes,
      trustProxy: config.server.trust_proxy,
      documents: documents.options,
      agents: a2a.options,
      privacy: privacy.options,
      retrieval: retrieval.options,
      audio: speech.options,
      runFigures: agents.figures,
      limitsLocal,
      metricsToken: config.metrics.token ?? null,
      renderMetrics,
      serveMetrics: config.metrics.port === undefined,
      console,
      personActor: (person) => personActor({ db: database, defaultLimits }, person),
      consoleFolder: join(import.meta.dirname, '../../console/dist'),
      publicUrl: () => addressOf(config, port),
    });
    await retrieval.start();
    await agents.start();
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
