import cluster, { type Worker } from 'node:cluster';

/** What the primary keeps for all workers: one value that is replaced as a whole. */
type Message =
  | { readonly snapshot: 'join'; readonly name: string }
  | { readonly snapshot: 'value'; readonly name: string; readonly value: unknown };

const isSnapshotMessage = (message: unknown): message is Message =>
  typeof (message as { snapshot?: unknown } | null)?.snapshot === 'string';

/** In the primary: hands a value of JSON to each worker that asks for it, and to all of them when it changes. */
export interface SharedSnapshot<T> {
  set(value: T): void;
  close(): void;
}

export function publishSnapshot<T>(name: string, start: T): SharedSnapshot<T> {
  const subscribers = new Set<Worker>();
  let value = start;
  const sendValue = (worker: Worker) => {
    if (worker.isConnected()) worker.send({ snapshot: 'value', name, value } satisfies Message);
  };
  const onMessage = (worker: Worker, message: unknown) => {
    if (!isSnapshotMessage(message) || message.snapshot !== 'join' || message.name !== name) return;
    subscribers.add(worker);
    sendValue(worker);
  };
  const onExit = (worker: Worker) => void subscribers.delete(worker);
  cluster.on('message', onMessage);
  cluster.on('exit', onExit);
  return {
    set(next) {
      value = next;
      for (const worker of subscribers) sendValue(worker);
    },
    close() {
      cluster.off('message', onMessage);
      cluster.off('exit', onExit);
    },
  };
}

/**
 * In a worker: resolves when the value is known; `onValue` is called then and whenever it changes. Call the resolved function
 * to unsubscribe.
 */
export function subscribeSnapshot(name: string, onValue: (value: unknown) => void): Promise<() => void> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      if (!isSnapshotMessage(message) || message.snapshot !== 'value' || message.name !== name) return;
      onValue(message.value);
      resolve(() => void process.off('message', onMessage));
    };
    process.on('message', onMessage);
    process.send?.({ snapshot: 'join', name } satisfies Message);
  });
}
