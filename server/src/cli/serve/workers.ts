import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { PostgresConnection } from '../../compose.ts';
import { countForWorkers } from '../../compose/primary.ts';

/** What the primary tells a worker. The database's password goes this way, so that no environment holds it. */
export type ToWorker =
  | { readonly type: 'start'; readonly connection: PostgresConnection }
  | { readonly type: 'stop'; readonly graceMs: number };

/** What a worker tells the primary. */
export type FromWorker =
  /** It hears what it is told from now on. */
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

const send = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message);
};

/** Starts a worker and resolves with its port. Throws StudioError `unavailable` with the worker's own reason. */
function startOne(connection: PostgresConnection): { worker: Worker; ready: Promise<number> } {
  const worker = cluster.fork();
  const ready = new Promise<number>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      // Not before: what a process is told while it is made is lost.
      if (message.type === 'listening') send(worker, { type: 'start', connection });
      else if (message.type === 'ready') resolve(message.port);
      else if (message.type === 'failed') reject(new StudioError('unavailable', message.message));
    });
    worker.once('exit', (code, signal) =>
      reject(new StudioError('unavailable', `A worker process ended at its start (${signal || code})`)),
    );
  });
  return { worker, ready };
}

/** Starts `count` workers and keeps as many. Throws when one cannot start; the others are ended then. */
export async function startWorkers(count: number, connection: PostgresConnection, log: Logger): Promise<WorkerGroup> {
  const workers = new Set<Worker>();
  const stopCounting = countForWorkers();
  const closing = new AbortController();
  let closed: Promise<void> | null = null;

  const add = async (): Promise<number> => {
    const { worker, ready } = startOne(connection);
    workers.add(worker);
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      if (closing.signal.aborted) return;
      void ready.then(
        () => {
          log.error({ worker: worker.id, code, signal }, 'A worker process ended by itself; another takes its place');
          void replace();
        },
        () => undefined,
      );
    });
    return ready;
  };
  const replace = async () => {
    while (!closing.signal.aborted) {
      try {
        await sleep(REPLACE_DELAY_MS, undefined, { signal: closing.signal });
        await add();
        return;
      } catch (error) {
        if (!closing.signal.aborted) log.error({ err: error }, 'A worker process could not be started');
      }
    }
  };
  const end = async (graceMs: number) => {
    closing.abort();
    const gone = [...workers].map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
    for (const worker of workers) send(worker, { type: 'stop', graceMs });
    // Beyond the grace a worker cuts what is open; it gets a moment to write what it counted.
    const late = setTimeout(() => workers.forEach((worker) => worker.kill('SIGKILL')), graceMs + 10_000);
    await Promise.all(gone);
    clearTimeout(late);
    await stopCounting();
  };
  const close = (graceMs: number) => (closed ??= end(graceMs));

  try {
    const [port] = await Promise.all(Array.from({ length: count }, add));
    return { port: port ?? 0, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}
