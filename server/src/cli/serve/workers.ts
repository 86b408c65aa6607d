import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { PostgresConnection } from '../../compose.ts';
import { serveCountsToWorkers } from '../../compose/primary.ts';
import { closeOrphanedConnection } from './orphaned-connection.ts';

/** Messages from the primary to a worker. They carry the database's password, so that no environment variable holds it. */
export type ToWorker =
  | { readonly type: 'start'; readonly connection: PostgresConnection }
  | { readonly type: 'stop'; readonly graceMs: number };

/** Messages from a worker to the primary. */
export type FromWorker =
  /** It receives messages from now on. */
  | { readonly type: 'listening' }
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'failed'; readonly message: string };

/** Processes that answer requests side by side on one port. */
export interface WorkerGroup {
  readonly port: number;
  /** Lets all of them finish. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/** A worker that ends by itself is replaced after this time, so that one that always fails does not busy the machine. */
const REPLACE_DELAY_MS = 1_000;

/** Starts of a worker that is killed each time before any serves, after pauses that grow: what kills it then goes on. */
const MAX_FIRST_STARTS = 3;

const send = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message);
};

/** Result of a start: the port, or the reason of the failure. A killed worker could not report one itself. */
type StartResult = { readonly port: number } | { readonly reason: string; readonly killed: boolean };

/** Sends the start message to a new worker, or the stop message where the group is closing. */
function initWorker(worker: Worker, connection: PostgresConnection, closing: AbortSignal): Promise<StartResult> {
  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      // Not earlier: messages to a process that is still starting are lost.
      if (message.type === 'listening')
        send(worker, closing.aborted ? { type: 'stop', graceMs: 0 } : { type: 'start', connection });
      else if (message.type === 'ready') resolve({ port: message.port });
      else if (message.type === 'failed') resolve({ reason: message.message, killed: false });
    });
    worker.once('exit', (code, signal) =>
      resolve({ reason: `A worker process ended at its start (${signal || code})`, killed: true }),
    );
  });
}

export interface WorkerOptions {
  readonly connection: PostgresConnection;
  readonly log: Logger;
  readonly fork?: () => Worker;
  readonly replaceDelayMs?: number;
}

/**
 * Starts `count` workers and keeps as many. Throws StudioError `unavailable` when one says that it cannot start, or was killed again and
 * again before any served; the others are ended then.
 */
export async function startWorkers(
  count: number,
  { connection, log, fork = () => cluster.fork(), replaceDelayMs = REPLACE_DELAY_MS }: WorkerOptions,
): Promise<WorkerGroup> {
  const workers = new Set<Worker>();
  const stopRateLimits = serveCountsToWorkers();
  const closing = new AbortController();
  let serving = false;
  let closed: Promise<void> | null = null;

  const add = (): Promise<StartResult> => {
    const worker = fork();
    const started = initWorker(worker, connection, closing.signal);
    workers.add(worker);
    closeOrphanedConnection(worker);
    // What is sent to a worker that was killed a moment ago fails; without a listener that would end this process.
    worker.on('error', (error) => log.debug({ err: error, worker: worker.id }, 'message to a worker process failed'));
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      void started.then((start) => {
        if (closing.signal.aborted || !('port' in start)) return;
        log.error({ worker: worker.id, code, signal }, 'worker process exited unexpectedly; it is replaced');
        void replace();
      });
    });
    return started;
  };
  /** False where the group is closed meanwhile. */
  const pause = (ms: number) => sleep(ms, true, { signal: closing.signal }).catch(() => false);
  const replace = async () => {
    while (await pause(replaceDelayMs)) {
      const start = await add();
      if ('port' in start) return;
      if (!closing.signal.aborted) log.error({ reason: start.reason }, 'worker process failed to start');
    }
  };
  /** The port of one of the first workers; null where another serves already and this one comes later. */
  const startInitial = async (): Promise<number | null> => {
    for (let tries = 1; ; tries++) {
      const start = await add();
      if ('port' in start) {
        serving = true;
        return start.port;
      }
      if (closing.signal.aborted) return null;
      if (!start.killed || (!serving && tries === MAX_FIRST_STARTS)) throw new StudioError('unavailable', start.reason);
      log.error({ reason: start.reason }, 'worker process was killed while starting; it is replaced');
      if (serving) {
        void replace();
        return null;
      }
      if (!(await pause(tries * replaceDelayMs))) return null;
    }
  };
  const stopAll = async (graceMs: number) => {
    closing.abort();
    const exits = [...workers].map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
    for (const worker of workers) send(worker, { type: 'stop', graceMs });
    // After the grace period a worker aborts open responses; it gets a moment to store its usage.
    const killTimer = setTimeout(() => workers.forEach((worker) => worker.kill('SIGKILL')), graceMs + 10_000);
    await Promise.all(exits);
    clearTimeout(killTimer);
    await stopRateLimits();
  };
  const close = (graceMs: number) => (closed ??= stopAll(graceMs));

  try {
    const ports = await Promise.all(Array.from({ length: count }, startInitial));
    return { port: ports.find((port) => port !== null) ?? 0, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}
