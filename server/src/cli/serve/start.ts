import { flushCompileCache } from 'node:module';
import { requeueRuns } from '../../agents/index.ts';
import { takeUpBatches } from '../../batches/index.ts';
import { startNode, type StudioNode } from '../../compose.ts';
import { prepareFirstKeys, prepareFirstPerson } from '../../compose/identity.ts';
import { hostModelsForWorkers } from '../../compose/primary.ts';
import { lookForSpeechProgram } from '../../compose/speech.ts';
import { migrateStore, openStoreDatabase, type Store } from '../../compose/store.ts';
import { addressOf, readLocale, type Config, type LoadedConfig } from '../../config/index.ts';
import { type FirstKeys, linkUrl, type IssuedLink } from '../../identity/index.ts';
import type { Logger } from '../../kernel/log.ts';
import { takeUpParses } from '../../parsing/index.ts';
import { takeUpResponses } from '../../responses/index.ts';
import { takeUpIngest } from '../../retrieval/index.ts';
import type { Output } from '../output.ts';
import { serviceVersion } from '../version.ts';
import { banner } from './banner.ts';
import { openMetricsPort } from './metrics-port.ts';
import { probeLocalServers } from './probe.ts';
import { serveSharedMetrics } from './shared-metrics.ts';
import type { ShutdownWatcher } from './stop.ts';
import { startWorkers } from './workers.ts';

// What a start does once its PostgreSQL is on its way. Loads most of the program.

/** Close functions of what was opened, called in reverse order. */
export type Closers = ((graceMs: number) => Promise<void>)[];

/** What a start is made with. */
export interface Opening {
  readonly out: Output;
  readonly log: Logger;
  readonly stop: ShutdownWatcher;
  readonly opened: Closers;
}

interface Start extends Opening {
  readonly onProgress: (message: string) => void;
  /** When the start began, by the clock of this process. */
  readonly startedMs: number;
}

/** Prepares the database of a store and begins to answer requests. Adds to `opened` what it opens. */
export async function startOn(
  store: Store,
  loaded: LoadedConfig,
  { out, log, stop, opened, onProgress, startedMs }: Start,
): Promise<void> {
  const { config } = loaded;
  const probing = probe(config);
  lookForSpeechProgram();
  const { keys, setup } = await prepareDatabase(store, loaded, log, onProgress);
  if (stop.requested) return;
  const { port, catalogue } = await startServing(loaded, store, log, opened);
  out.print(
    banner(
      {
        version: serviceVersion(),
        address: addressOf(config, port),
        setupUrl: setup === null ? null : linkUrl(addressOf(config, port), setup),
        workers: config.server.workers,
        database: store.label,
        dataDir: config.data_dir,
        configFile: loaded.file,
        catalogue,
        key: keys.issued,
        first: keys.issued !== null || keys.registered,
        found: await probing,
        milliseconds: performance.now() - startedMs,
      },
      readLocale(),
    ),
  );
  log.info({ port, workers: config.server.workers, database: store.label }, 'ready');
  // Node.js writes what it compiled when a process ends; one that is killed would leave its next start nothing.
  flushCompileCache();
}

/** Schema, first keys and first person, over connections that are closed again before requests come. */
async function prepareDatabase(
  store: Store,
  { config, initApiKey, firstAdministrator }: LoadedConfig,
  log: Logger,
  onProgress: (message: string) => void,
): Promise<{ readonly keys: FirstKeys; readonly setup: IssuedLink | null }> {
  const database = await openStoreDatabase(store.connection, log, 2);
  try {
    await migrateStore(database, { copyRows: store.copyRows, config, onProgress });
    // No other process can be working: jobs that an earlier process left are resumed at once.
    if (store.exclusive)
      await Promise.all(
        [requeueRuns, takeUpIngest, takeUpParses, takeUpBatches, takeUpResponses].map((takeUp) => takeUp(database)),
      );
    const keys = await prepareFirstKeys(config, database, log, initApiKey);
    return { keys, setup: await prepareFirstPerson(config, database, firstAdministrator) };
  } finally {
    await database.close();
  }
}

/** Answers requests in this process, or in as many as the configuration says. */
async function startServing(
  { config, catalogue }: LoadedConfig,
  store: Store,
  log: Logger,
  opened: Closers,
): Promise<Pick<StudioNode, 'port' | 'catalogue'>> {
  const { connection } = store;
  if (config.server.workers > 1) {
    const shared = serveSharedMetrics();
    opened.push(async () => shared.close());
    const modelHost = await hostModelsForWorkers({ config, catalogue, connection, log });
    opened.push(() => modelHost.close());
    const group = await startWorkers(config.server.workers, { connection, log });
    opened.push((graceMs) => group.close(graceMs));
    opened.push(await openMetricsPort(config.metrics, shared));
    return { port: group.port, catalogue: modelHost.catalogue };
  }
  const node = await startNode({ config, catalogue, connection, version: serviceVersion(), log });
  opened.push((graceMs) => node.close(graceMs));
  const closeMetrics = await openMetricsPort(config.metrics, node.metrics);
  opened.push(closeMetrics);
  return node;
}

/** Model servers of this machine, looked for only where no engine is configured. */
async function probe({ probe: { enabled, ports }, engines, server }: Config) {
  if (!enabled || Object.keys(engines).length > 0) return [];
  return probeLocalServers(ports, server.port);
}
