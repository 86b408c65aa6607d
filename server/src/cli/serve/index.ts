import cluster from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStore } from '../../compose/store.ts';
import { describeProblem, type Config, type LoadedConfig } from '../../config/index.ts';
import { createLineSink, createLog, type LineSink } from '../../kernel/json-log.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Command } from '../command.ts';
import { serviceVersion } from '../version.ts';
import { scheduleForcedExit } from './forced-exit.ts';
import type { Closers, Opening } from './start.ts';
import { watchForShutdown } from './stop.ts';

const STDERR = 2;
/** Time to close everything after an uncaught error. */
const CRASH_GRACE_MS = 2_000;
/** Exit code of a process that a second Ctrl-C ended. Source: shells, 128 + SIGINT. */
const INTERRUPTED = 130;

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
    const { runWorker } = await import('./worker.ts');
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

/** Starts everything, in order. Adds to `opened` as it goes, so that a failed start can be closed too. */
async function startService(loaded: LoadedConfig, given: Opening): Promise<void> {
  const startedMs = performance.now();
  const { out, log, stop, opened } = given;
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const opening = openStore({ config: loaded.config, log, onProgress });
  // PostgreSQL starts while this process loads the rest of the program, which keeps it from all else.
  const loading = nextTurn().then(() => import('./start.ts'));
  loading.catch(() => undefined);
  const store = await opening;
  opened.push(() => store.close());
  const { startOn } = await loading;
  if (!stop.requested) await startOn(store, loaded, { ...given, onProgress, startedMs });
}
