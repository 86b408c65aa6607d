import cluster from 'node:cluster';
import { startNode, type NodeOptions, type StudioNode } from '../../compose.ts';
import { scheduleForcedExit } from './forced-exit.ts';
import { joinSharedMetrics } from './shared-metrics.ts';
import type { FromWorker, ToWorker } from './workers.ts';

const sendToPrimary = (message: FromWorker) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()) ?? resolve());

/** Runs a worker: it starts when the primary sends the database connection, and stops on a message of the primary. */
export function runWorker(options: Omit<NodeOptions, 'connection'>): Promise<number> {
  // One Ctrl-C reaches every process of the terminal; the primary decides for all.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    let starting: Promise<StudioNode> | null = null;
    let node: StudioNode | null = null;
    const renderMetrics = joinSharedMetrics(() => node?.metrics);
    const start = async ({ connection }: ToWorker & { type: 'start' }) => {
      try {
        starting = startNode({ ...options, connection, renderMetrics });
        node = await starting;
        await sendToPrimary({ type: 'ready', port: node.port });
      } catch (error) {
        await sendToPrimary({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
        finish(1);
      }
    };
    const stop = async (graceMs: number) => {
      scheduleForcedExit(options.log, graceMs, () => undefined);
      // A start in progress would otherwise complete and serve without a primary.
      const started = await starting?.catch(() => null);
      await started?.close(graceMs);
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
    void sendToPrimary({ type: 'listening' });
  });
}
