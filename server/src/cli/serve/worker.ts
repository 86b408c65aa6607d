import cluster from 'node:cluster';
import { startNode, type NodeOptions, type StudioNode } from '../../compose.ts';
import { joinSharedMetrics } from './shared-metrics.ts';
import type { FromWorker, ToWorker } from './workers.ts';

const tell = (message: FromWorker) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()) ?? resolve());

/** A worker's life: it starts when the primary gives it the database, and stops when the primary says so. */
export function runWorker(options: Omit<NodeOptions, 'connection'>): Promise<number> {
  // One Ctrl-C reaches every process of the terminal; the primary decides for all.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    let node: StudioNode | null = null;
    const renderMetrics = joinSharedMetrics(() => node?.metrics);
    const start = async (message: ToWorker & { type: 'start' }) => {
      try {
        node = await startNode({ ...options, connection: message.connection, renderMetrics });
        await tell({ type: 'ready', port: node.port });
      } catch (error) {
        await tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
        finish(1);
      }
    };
    const stop = async (graceMs: number) => {
      await node?.close(graceMs);
      finish(0);
    };
    const finish = (code: number) => {
      cluster.worker?.disconnect();
      resolve(code);
    };
    process.on('message', (message: ToWorker) => {
      if (message.type === 'start') void start(message);
      // Other messages are for other parts of the worker.
      else if (message.type === 'stop') void stop(message.graceMs);
    });
    void tell({ type: 'listening' });
  });
}
