import cluster, { type Worker } from 'node:cluster';
import {
  type FailureMessage,
  ModelFailure,
  ModelUnavailable,
  fromFailureMessage,
  toFailureMessage,
} from './failure.ts';
import type { ModelHost, ModelLease } from './supervisor.ts';

/** What a worker asks of the process that keeps the models. */
type Ask =
  | { readonly llama: 'acquire'; readonly id: number; readonly model: string }
  /** Gives a lease back, or gives up waiting for it. */
  | { readonly llama: 'release'; readonly id: number };

type Told =
  | { readonly llama: 'leased'; readonly id: number; readonly socketPath: string }
  | { readonly llama: 'refused'; readonly id: number; readonly failure: FailureMessage };

const kindOf = (message: unknown) => (message as { llama?: unknown } | null)?.llama;
const isAsk = (message: unknown): message is Ask => ['acquire', 'release'].includes(String(kindOf(message)));
const isTold = (message: unknown): message is Told => ['leased', 'refused'].includes(String(kindOf(message)));

const tell = (worker: Worker, message: Told) => {
  if (worker.isConnected()) worker.send(message);
};

/** In the primary process: gives models to the workers. What a worker holds is free when it ends. Returns what ends it. */
export function serveModels(host: ModelHost): () => void {
  /** By worker, what ends each lease or each wait for one. */
  const held = new Map<number, Map<number, () => void>>();

  const acquire = async (worker: Worker, id: number, model: string) => {
    const mine = held.get(worker.id) ?? new Map<number, () => void>();
    held.set(worker.id, mine);
    const waiting = new AbortController();
    mine.set(id, () => waiting.abort(new ModelUnavailable('Nobody waits for the model any more')));
    try {
      const lease = await host.acquire(model, waiting.signal);
      if (waiting.signal.aborted) return lease.release();
      mine.set(id, lease.release);
      tell(worker, { llama: 'leased', id, socketPath: lease.socketPath });
    } catch (error) {
      mine.delete(id);
      tell(worker, { llama: 'refused', id, failure: toFailureMessage(error) });
    }
  };
  const release = (worker: number, id: number) => {
    const mine = held.get(worker);
    mine?.get(id)?.();
    mine?.delete(id);
  };
  const onMessage = (worker: Worker, message: unknown) => {
    if (!isAsk(message)) return;
    if (message.llama === 'acquire') void acquire(worker, message.id, message.model);
    else release(worker.id, message.id);
  };
  const onExit = ({ id }: Worker) => {
    for (const end of held.get(id)?.values() ?? []) end();
    held.delete(id);
  };
  cluster.on('message', onMessage);
  cluster.on('exit', onExit);
  return () => {
    cluster.off('message', onMessage);
    cluster.off('exit', onExit);
  };
}

/** In a worker: asks the primary, so that a model is in memory once however many workers there are. */
export function createClusterHost(): ModelHost & { close(): void } {
  const waiting = new Map<number, { resolve(socketPath: string): void; reject(error: Error): void }>();
  let next = 0;
  const send = (message: Ask) => void process.send?.(message);
  const onMessage = (message: unknown) => {
    if (!isTold(message)) return;
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.llama === 'leased') asked?.resolve(message.socketPath);
    else asked?.reject(fromFailureMessage(message.failure));
  };
  const lost = () => {
    for (const { reject } of waiting.values()) reject(new ModelFailure('stopping', 'The service is stopping.', 1));
    waiting.clear();
  };
  process.on('message', onMessage);
  process.once('disconnect', lost);

  return {
    acquire: (model, signal) =>
      new Promise<ModelLease>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const id = next++;
        let held = true;
        const release = () => {
          if (held) send({ llama: 'release', id });
          held = false;
        };
        const onAbort = () => {
          waiting.delete(id);
          release();
          reject(signal.reason as Error);
        };
        const done = () => signal.removeEventListener('abort', onAbort);
        waiting.set(id, {
          resolve(socketPath) {
            done();
            resolve({ socketPath, release });
          },
          reject(error) {
            done();
            reject(error);
          },
        });
        signal.addEventListener('abort', onAbort, { once: true });
        send({ llama: 'acquire', id, model });
      }),
    close() {
      process.off('message', onMessage);
      process.off('disconnect', lost);
      lost();
    },
  };
}
