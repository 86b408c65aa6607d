import cluster, { type Worker } from 'node:cluster';
import type { LoadExchange } from '../../ports/load-exchange.ts';
import { LOAD_EXPIRY_MS, addLoads, writeLoads } from '../loads.ts';

interface LoadsRequest {
  readonly loads: 'say';
  readonly id: number;
  readonly text: string;
}
interface LoadsResponse {
  readonly loads: 'others';
  readonly id: number;
  readonly texts: readonly string[];
}

const isRequest = (message: unknown): message is LoadsRequest =>
  (message as { loads?: unknown } | null)?.loads === 'say';
const isResponse = (message: unknown): message is LoadsResponse =>
  (message as { loads?: unknown } | null)?.loads === 'others';

/** In the primary process: keeps what each worker has under way. Returns the function that stops it. */
export function serveLoads(now: () => number = () => performance.now()): () => void {
  const said = new Map<number, { readonly text: string; readonly atMs: number }>();
  const onMessage = (worker: Worker, message: unknown) => {
    if (!isRequest(message)) return;
    const at = now();
    said.set(worker.id, { text: message.text, atMs: at });
    const texts: string[] = [];
    for (const [id, { text, atMs }] of said) {
      if (at - atMs > LOAD_EXPIRY_MS) said.delete(id);
      else if (id !== worker.id && text !== '') texts.push(text);
    }
    if (worker.isConnected()) worker.send({ loads: 'others', id: message.id, texts } satisfies LoadsResponse);
  };
  cluster.on('message', onMessage);
  return () => void cluster.off('message', onMessage);
}

/** In a worker: shares with the other workers of the service. */
export function createClusterLoads(): LoadExchange {
  const pending = new Map<number, PromiseWithResolvers<ReadonlyMap<string, number>>>();
  let next = 0;
  const onMessage = (message: unknown) => {
    if (!isResponse(message)) return;
    pending.get(message.id)?.resolve(addLoads(message.texts));
    pending.delete(message.id);
  };
  const rejectPending = () => {
    for (const { reject } of pending.values()) reject(new Error('the service is stopping'));
    pending.clear();
  };
  process.on('message', onMessage);
  process.once('disconnect', rejectPending);
  return {
    exchange(own) {
      const id = next++;
      const answer = Promise.withResolvers<ReadonlyMap<string, number>>();
      pending.set(id, answer);
      if (process.send?.({ loads: 'say', id, text: writeLoads(own) } satisfies LoadsRequest) === undefined)
        rejectPending();
      return answer.promise;
    },
    close() {
      process.off('message', onMessage);
      process.off('disconnect', rejectPending);
      rejectPending();
      return Promise.resolve();
    },
  };
}
