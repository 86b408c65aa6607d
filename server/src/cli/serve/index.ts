import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { startNode, type StudioNode } from '../../compose.ts';
import { hostModelsForWorkers } from '../../compose/primary.ts';
import { migrateStore, openStore, openStoreDatabase, type Store } from '../../compose/store.ts';
import { prepareFirstKeys, prepareFirstPerson } from '../../compose/identity.ts';
import { requeueRuns } from '../../agents/index.ts';
import { addressOf, describeProblem, readLocale, type Config, type LoadedConfig } from '../../config/index.ts';
import { type FirstKeys, linkUrl, type IssuedLink } from '../../identity/index.ts';
import { createLineSink, createLog, type LineSink } from '../../kernel/json-log.ts';
import type { Logger } from '../../kernel/log.ts';
import { takeUpParses } from '../../parsing/index.ts';
import { takeUpIngest } from '../../retrieval/index.ts';
import type { Output } from '../output.ts';
import type { Command } from '../command.ts';
import { serviceVersion } from '../version.ts';
import { banner } from './banner.ts';
import { scheduleForcedExit } from './forced-exit.ts';
import { openMetricsPort } from './metrics-port.ts';
import { probeLocalServers } from './probe.ts';
import { watchForShutdown, type ShutdownWatcher } from './stop.ts';
import { serveSharedMetrics } from './shared-metrics.ts';
import { runWorker } from './worker.ts';
import { startWorkers } from './workers.ts';

const STDERR = 2;
/** Time to close everything after an uncaught error. */
const CRASH_GRACE_MS = 2_000;
/** Exit code of a process that a second Ctrl-C ended. Source: shells, 128 + SIGINT. */
const INTERRUPTED = 130;

/** Close functions of what was opened, called in reverse order. */
type Closers = ((graceMs: number) => Promise<void>)[];

/** Runs the service until it is stopped. */
export const serve: Command = async ({ out, load }) => {
  const loaded = load();
  const { config, catalogue } = loaded;
  const sink = createLineSink(STDERR);
  const log = createLogOf(config, sink);
  process.once('exit', () => sink.flushSync());
  // A closed terminal or pipe must not stop the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (cluster.isWorker) {
    exitOnCrash(log, sink, () => undefined);
    return runWorker({ config, catalogue, version: serviceVersion(), log });
  }
  const stop = watchForShutdown(() => {
    out.note('Ended at once.');
    sink.flushSync();
    process.exit(INTERRUPTED);
  });
  let crashed = false;
  exitOnCrash(log, sink, () => {
    crashed = true;
    stop.requestStop('an uncaught error');
  });
  for (const warning of loaded.warnings) out.note(`! ${describeProblem(warning)}`);
  const opened: Closers = [];
  try {
    await startService(loaded, { out, log, stop, opened });
    const reason = await stop.whenRequested;
    log.info({ reason }, 'service is stopping');
    if (!crashed) out.note(`\n▸ Stopping (${reason}); open answers may finish`);
    return crashed ? 1 : 0;
  } finally {
    const graceMs = crashed ? CRASH_GRACE_MS : config.server.shutdown_grace_ms;
    scheduleForcedExit(log, graceMs, () => sink.flushSync());
    await closeAll(opened, graceMs);
    stop.dispose();
    sink.flushSync();
  }
};

async function closeAll(opened: Closers, graceMs: number): Promise<void> {
  for (const close of opened.toReversed()) await close(graceMs);
}

function createLogOf({ log: { level, format } }: Config, sink: LineSink): Logger {
  const pretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  const log = createLog({ sink, level, format: pretty ? 'pretty' : 'json' });
  return cluster.isWorker ? log.child({ worker: cluster.worker?.id }) : log;
}

/** Logs an uncaught error and stops the process, whose state is unknown afterwards. */
function exitOnCrash(log: Logger, sink: LineSink, requestStop: () => void): void {
  const crash = (kind: string) => (error: unknown) => {
    log.error({ err: error instanceof Error ? error : new Error(String(error)) }, kind);
    sink.flushSync();
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 2 * CRASH_GRACE_MS).unref();
    requestStop();
    if (cluster.isWorker) process.exit(1);
  };
  process.on('uncaughtException', crash('uncaught exception'));
  process.on('unhandledRejection', crash('unhandled promise rejection'));
}

interface Opening {
  readonly out: Output;
  readonly log: Logger;
  readonly stop: ShutdownWatcher;
  readonly opened: Closers;
}

/** Starts everything, in order. Adds to `opened` as it goes, so that a failed start can be closed too. */
async function startService(loaded: LoadedConfig, { out, log, stop, opened }: Opening): Promise<void> {
  const startedMs = performance.now();
  const { config } = loaded;
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const probing = probe(config);
  const store = await openStore({ config, log, onProgress });
  opened.push(() => store.close());
  if (stop.requested) return;
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
    if (store.exclusive) await Promise.all([requeueRuns, takeUpIngest, takeUpParses].map((takeUp) => takeUp(database)));
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
