import cluster, { type Worker } from 'node:cluster';
import { mergeMetrics, type MetricsSnapshot, type StudioNode } from '../../compose.ts';

/** Messages between the primary and its workers, so that /metrics covers all of them, whichever process is scraped. */
type Message =
  | { readonly metrics: 'ask'; readonly id: number }
  | { readonly metrics: 'collect'; readonly id: number }
  | { readonly metrics: 'figures'; readonly id: number; readonly figures: MetricsSnapshot }
  | { readonly metrics: 'merged'; readonly id: number; readonly text: string };

const isMetricsMessage = (message: unknown): message is Message =>
  typeof (message as { metrics?: unknown } | null)?.metrics === 'string';

/** A worker that does not answer in this time is left out. */
const TIMEOUT_MS = 2_000;

/** In the primary: gathers the figures of all workers. */
export interface SharedMetrics {
  readonly contentType: string;
  /** Text for Prometheus. */
  render(): Promise<string>;
  close(): void;
}

export function serveSharedMetrics(): SharedMetrics {
  const waiting = new Map<number, (figures: MetricsSnapshot) => void>();
  let next = 0;

  const collectFrom = (worker: Worker) =>
    new Promise<MetricsSnapshot | null>((resolve) => {
      const id = next++;
      const settle = (figures: MetricsSnapshot | null) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(figures);
      };
      const timer = setTimeout(() => settle(null), TIMEOUT_MS);
      waiting.set(id, settle);
      worker.send({ metrics: 'collect', id } satisfies Message);
    });
  const render = async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const figures = await Promise.all(workers.filter((worker) => worker.isConnected()).map(collectFrom));
    return mergeMetrics(figures.filter((one) => one !== null));
  };
  const onMessage = (worker: Worker, message: unknown) => {
    if (!isMetricsMessage(message)) return;
    if (message.metrics === 'figures') waiting.get(message.id)?.(message.figures);
    else if (message.metrics === 'ask') {
      void render().then((text) => {
        if (worker.isConnected()) worker.send({ metrics: 'merged', id: message.id, text } satisfies Message);
      });
    }
  };
  cluster.on('message', onMessage);
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    render,
    close: () => void cluster.off('message', onMessage),
  };
}

/** In a worker: answers the primary with its own figures, and asks it for those of all. */
export function joinSharedMetrics(own: () => StudioNode['metrics'] | undefined): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>();
  let next = 0;
  const send = (message: Message) => void process.send?.(message);
  process.on('message', (message: unknown) => {
    if (!isMetricsMessage(message)) return;
    const { id } = message;
    if (message.metrics === 'merged') {
      waiting.get(id)?.(message.text);
      waiting.delete(id);
    } else if (message.metrics === 'collect') {
      void own()
        ?.snapshot()
        .then((figures) => send({ metrics: 'figures', id, figures }));
    }
  });
  return () =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      send({ metrics: 'ask', id });
    });
}
