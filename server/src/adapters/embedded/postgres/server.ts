import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Database } from '../../../ports/database.ts';
import type { PostgresConnection } from '../../postgres/connection.ts';
import { makeDataFolder } from '../data-folder.ts';
import { lockDataFolder } from '../data-lock.ts';
import { chooseAccount, type Account, type AccountKind } from './account.ts';
import {
  clusterPaths,
  DATABASE,
  lostDatabaseError,
  holdsDerivedData,
  initialise,
  isInitialised,
  PORT,
  readPassword,
  removeDrafts,
  socketFolder,
  USER,
} from './cluster.ts';
import { startGuardian, type Guardian } from './guardian.ts';
import { stopOrphan, stopProcess, isPostmasterOf, readPostmasterFile } from './orphan.ts';
import { findPrograms, type PostgresPrograms } from './programs.ts';
import { makeSafetyCopy } from './safety-copy.ts';

export interface EmbeddedPostgresOptions {
  /** The service's data folder; made when missing. The database lives in its `postgres/`. */
  readonly dataDir: string;
  readonly log: Logger;
  /** Receives progress messages for people. */
  readonly onProgress?: (message: string) => void;
  /** 200 by default: a few workers with their pools. */
  readonly maxConnections?: number;
  /** Settings of PostgreSQL that differ from the service's own choice. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Ways to run the programs that may be used; all by default. */
  readonly accounts?: readonly AccountKind[];
}

/** The service's own PostgreSQL: a child that is watched, started anew when it dies, and never left behind. */
export interface EmbeddedPostgres {
  readonly connection: Exclude<PostgresConnection, { url: string }>;
  /** How the programs are run. */
  readonly account: AccountKind;
  /** Copies every row into a new folder below `backups/` of the data folder and returns it: to be made before a migration. */
  copyRows(database: Database): Promise<string>;
  /** Process id of the running PostgreSQL; null while it is down. */
  pid(): number | null;
  /** Stops it fast, keeping everything that was committed, and gives the data folder free. Safe to repeat. */
  close(): Promise<void>;
}

/** What one start of the program needs to know. */
interface Launch {
  readonly programs: PostgresPrograms;
  readonly account: Account;
  readonly cluster: string;
  readonly args: readonly string[];
  readonly log: Logger;
}

interface RunningPostgres {
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  readonly guardian: Guardian;
}

/** A PostgreSQL that fails is started again after this time, twice as long after each failure in a row. */
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 10_000;
/** Recovery after a crash reads at most `max_wal_size` of log; this is far beyond it. */
const READY_TIMEOUT_MS = 120_000;

/**
 * Locks the data folder, creates the database if it is missing, and starts it.
 * Errors are StudioError: `conflict` when another service has the folder, the folder lost its database, or the version
 * does not fit; `unavailable`, asking for `database.url`, where PostgreSQL can't be run.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const createdFolders = makeDataFolder(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const postgres = await openCluster(dataDir, createdFolders, options);
    return { ...postgres, close: () => postgres.close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openCluster(
  dataDir: string,
  createdFolders: readonly string[],
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, onProgress = () => undefined } = options;
  const paths = clusterPaths(dataDir);
  const programs = findPrograms(join(dataDir, 'postgres-lib'));
  const known = isInitialised(paths);
  if (!known && holdsDerivedData(dataDir)) throw lostDatabaseError(dataDir);
  removeDrafts(paths);
  const account = chooseAccount(programs, paths.cluster, options.accounts);
  for (const folder of createdFolders) account.allowTraversal(folder);
  if (!known) {
    onProgress('Setting up the database (once, a few seconds)');
    await initialise(paths, programs, account);
  }
  await stopOrphan(paths.cluster, log);
  const host = socketFolder(paths, account);
  const launch: Launch = { programs, account, cluster: paths.cluster, log, args: commandLine(host, options) };
  const supervisor = await supervise(launch);
  const connection = {
    host,
    port: Number(options.settings?.['port'] ?? PORT),
    user: USER,
    password: readPassword(paths),
    database: DATABASE,
  };
  const copyRows = (database: Database) => makeSafetyCopy(database, join(dataDir, 'backups'), account);
  return { connection, account: account.kind, copyRows, ...supervisor };
}

/** Settings are given at each start, so that a new version of the service brings its own. */
function commandLine(socketDir: string, { maxConnections = 200, settings = {} }: EmbeddedPostgresOptions): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port: PORT,
    max_connections: maxConnections,
    // What was acknowledged is on the disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    // Reads are small here; three helper processes for them are not worth their memory.
    io_method: 'sync',
    jit: 'off',
    // Nobody replicates it: no process waits to.
    max_logical_replication_workers: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    cluster_name: 'ai-studio',
    ...settings,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function supervise(launch: Launch): Promise<{ pid(): number | null; close(): Promise<void> }> {
  let running: RunningPostgres | null = await launchUntilReady(launch);
  let closing: Promise<void> | null = null;
  const stop = new AbortController();

  const watch = (async () => {
    let delayMs = MIN_RESTART_DELAY_MS;
    while (!stop.signal.aborted) {
      const since = performance.now();
      await running?.ended;
      running?.guardian.dismiss();
      running = null;
      if (stop.signal.aborted) return;
      if (performance.now() - since > MAX_RESTART_DELAY_MS) delayMs = MIN_RESTART_DELAY_MS;
      launch.log.error({ delayMs }, 'embedded PostgreSQL exited unexpectedly; restarting');
      await sleep(delayMs, undefined, { signal: stop.signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS);
      if (stop.signal.aborted) return;
      running = await launchUntilReady(launch, stop.signal).catch((error: unknown) => {
        launch.log.error({ err: error }, 'embedded PostgreSQL failed to start');
        return null;
      });
    }
  })();

  const close = async () => {
    stop.abort();
    if (running !== null) await stopRunning(running);
    await watch;
    // A start that was under way while the stop came in.
    if (running !== null) await stopRunning(running);
  };
  return { pid: () => running?.pid ?? null, close: () => (closing ??= close()) };
}

async function stopRunning({ pid, ended, guardian }: RunningPostgres): Promise<void> {
  let gone = false;
  void ended.then(() => (gone = true));
  await stopProcess(pid, () => !gone);
  guardian.dismiss();
}

/** Starts the program and waits until it takes connections. Throws StudioError `unavailable` when it ends instead. */
async function launchUntilReady(launch: Launch, signal?: AbortSignal): Promise<RunningPostgres> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const { running, lastError } = launchOnce(launch);
    const gone = running.ended.then(() => true);
    while (!(await Promise.race([gone, sleep(15, false)]))) {
      const file = readPostmasterFile(launch.cluster);
      if (file?.pid === running.pid && file.status === 'ready') return running;
      if (signal?.aborted || performance.now() > deadline) {
        await stopRunning(running);
        throw new StudioError('unavailable', 'The embedded PostgreSQL was stopped before it was ready.');
      }
    }
    running.guardian.dismiss();
    // Helper processes of one that was killed may hold its shared memory for a moment.
    if (
      !/shared memory block|lock file/.test(lastError()) ||
      performance.now() > deadline - READY_TIMEOUT_MS + 10_000
    ) {
      throw new StudioError(
        'unavailable',
        `The embedded PostgreSQL did not start: ${lastError() || 'it gave no reason'}`,
      );
    }
    await sleep(100);
    const file = readPostmasterFile(launch.cluster);
    if (file !== null && !isPostmasterOf(file.pid, launch.cluster)) await stopOrphan(launch.cluster, launch.log);
  }
}

function launchOnce({ programs, account, cluster, args, log }: Launch): {
  running: RunningPostgres;
  lastError: () => string;
} {
  // First the guardian, so that PostgreSQL is never without one for longer than it takes to write a number.
  const guardian = startGuardian(programs.env);
  const { command, args: line, ids } = account.run(programs.postgres, ['-D', cluster, ...args]);
  const child = spawn(command, line, {
    env: programs.env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...ids,
  });
  if (child.pid !== undefined) guardian.watch(child.pid);
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const lastError = forwardLog(child, log);
  // The service decides how long the process lives, not its children.
  child.unref();
  return { running: { pid: child.pid ?? 0, ended, guardian }, lastError };
}

/** Forwards the output of PostgreSQL to the service's log. Returns a function for its last fatal error line. */
function forwardLog(child: ChildProcess, log: Logger): () => string {
  let rest = '';
  let lastError = '';
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  child.stderr?.on('error', () => undefined);
  child.stderr?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') continue;
      if (/FATAL:|PANIC:|unshare:|error while loading/.test(line)) lastError = line.trim();
      if (/PANIC:/.test(line)) log.error({ postgres: line }, 'PostgreSQL');
      else if (/WARNING:/.test(line)) log.warn({ postgres: line }, 'PostgreSQL');
      else log.debug({ postgres: line }, 'PostgreSQL');
    }
  });
  return () => lastError;
}
