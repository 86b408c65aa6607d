import cluster, { type Worker } from 'node:cluster';
import {
  type FailureMessage,
  ModelFailure,
  ModelUnavailable,
  fromFailureMessage,
  toFailureMessage,
} from './failure.ts';
import type { ModelHost, ModelLease } from './supervisor.ts';

/** Messages from a worker to the process that owns the models. */
type LeaseRequest =
  | { readonly llama: 'acquire'; readonly id: number; readonly model: string }
  /** Gives a lease back, or gives up waiting for it. */
  | { readonly llama: 'release'; readonly id: number };

type LeaseReply =
  | { readonly llama: 'leased'; readonly id: number; readonly socketPath: string; readonly places: number | null }
  | { readonly llama: 'refused'; readonly id: number; readonly failure: FailureMessage };

type Leased = Pick<ModelLease, 'socketPath' | 'places'>;

const kindOf = (message: unknown) => (message as { llama?: unknown } | null)?.llama;
const isLeaseRequest = (message: unknown): message is LeaseRequest =>
  ['acquire', 'release'].includes(String(kindOf(message)));
const isLeaseReply = (message: unknown): message is LeaseReply =>
  ['leased', 'refused'].includes(String(kindOf(message)));

const sendReply = (worker: Worker, message: LeaseReply) => {
  if (worker.isConnected()) worker.send(message);
};

/** In the primary process: leases models to the workers and releases the leases of a worker that exits. Returns a function that stops it. */
export function serveModels(host: ModelHost): () => void {
  /** By worker and request id: releases the lease or cancels the wait for it. */
  const releases = new Map<number, Map<number, () => void>>();

  const acquire = async (worker: Worker, id: number, model: string) => {
    const ownLeases = releases.get(worker.id) ?? new Map<number, () => void>();
    releases.set(worker.id, ownLeases);
    const waiting = new AbortController();
    ownLeases.set(id, () => waiting.abort(new ModelUnavailable('The request for the model was cancelled')));
    try {
      const lease = await host.acquire(model, waiting.signal);
      if (waiting.signal.aborted) return lease.release();
      ownLeases.set(id, lease.release);
      sendReply(worker, { llama: 'leased', id, socketPath: lease.socketPath, places: lease.places });
    } catch (error) {
      ownLeases.delete(id);
      sendReply(worker, { llama: 'refused', id, failure: toFailureMessage(error) });
    }
  };
  const release = (worker: number, id: number) => {
    const ownLeases = releases.get(worker);
    ownLeases?.get(id)?.();
    ownLeases?.delete(id);
  };
  const onMessage = (worker: Worker, message: unknown) => {
    if (!isLeaseRequest(message)) return;
    if (message.llama === 'acquire') void acquire(worker, message.id, message.model);
    else release(worker.id, message.id);
  };
  const onExit = ({ id }: Worker) => {
    for (const end of releases.get(id)?.values() ?? []) end();
    releases.delete(id);
  };
  cluster.on('message', onMessage);
  cluster.on('exit', onExit);
  return () => {
    cluster.off('message', onMessage);
    cluster.off('exit', onExit);
  };
}

/** In a worker: leases models from the primary, so that a model is loaded once however many workers there are. */
export function createClusterHost(): ModelHost & { close(): void } {
  const waiting = new Map<number, { resolve(lease: Leased): void; reject(error: Error): void }>();
  let next = 0;
  const send = (message: LeaseRequest) => void process.send?.(message);
  const onMessage = (message: unknown) => {
    if (!isLeaseReply(message)) return;
    const pending = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.llama === 'leased') pending?.resolve(message);
    else pending?.reject(fromFailureMessage(message.failure));
  };
  const rejectAll = () => {
    for (const { reject } of waiting.values()) reject(new ModelFailure('stopping', 'The service is stopping.', 1));
    waiting.clear();
  };
  process.on('message', onMessage);
  process.once('disconnect', rejectAll);

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
          resolve({ socketPath, places }) {
            done();
            resolve({ socketPath, places, release });
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
      process.off('disconnect', rejectAll);
      rejectAll();
    },
  };
}
