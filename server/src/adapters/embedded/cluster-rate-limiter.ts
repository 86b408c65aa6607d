import cluster, { type Worker } from 'node:cluster';
import { StudioError } from '../../kernel/errors.ts';
import type { RateAmounts } from '../../kernel/rate-limits.ts';
import type { RateLimiter, RateLimits, RateState } from '../../ports/rate-limiter.ts';

/** What a worker asks of the process that counts for all. */
type Ask =
  | {
      readonly rate: 'reserve';
      readonly id: number;
      readonly subject: string;
      readonly limits: RateLimits;
      readonly amounts: RateAmounts;
    }
  | {
      readonly rate: 'settle';
      readonly subject: string;
      readonly limits: RateLimits;
      readonly changes: RateAmounts;
      readonly window: number;
    };

interface Told {
  readonly rate: 'state';
  readonly id: number;
  readonly state: RateState;
}

const isAsk = (message: unknown): message is Ask => {
  const kind = (message as { rate?: unknown } | null)?.rate;
  return kind === 'reserve' || kind === 'settle';
};
const isTold = (message: unknown): message is Told => (message as { rate?: unknown } | null)?.rate === 'state';

/** In the primary process: counts for all workers. Returns what ends it. */
export function serveRateLimiter(limiter: RateLimiter): () => void {
  const answer = async (worker: Worker, ask: Ask) => {
    if (ask.rate === 'settle') return limiter.settle(ask.subject, ask.limits, ask.changes, ask.window);
    const state = await limiter.reserve(ask.subject, ask.limits, ask.amounts);
    const told: Told = { rate: 'state', id: ask.id, state };
    if (worker.isConnected()) worker.send(told);
  };
  const onMessage = (worker: Worker, message: unknown) => {
    if (isAsk(message)) void answer(worker, message);
  };
  cluster.on('message', onMessage);
  return () => void cluster.off('message', onMessage);
}

/** In a worker: asks the primary, so that a key's limit is one limit however many workers there are. */
export function createClusterRateLimiter(): RateLimiter {
  const waiting = new Map<number, { resolve: (state: RateState) => void; reject: (error: unknown) => void }>();
  let next = 0;
  const onMessage = (message: unknown) => {
    if (!isTold(message)) return;
    waiting.get(message.id)?.resolve(message.state);
    waiting.delete(message.id);
  };
  const lost = () => {
    for (const { reject } of waiting.values())
      reject(new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 }));
    waiting.clear();
  };
  process.on('message', onMessage);
  process.once('disconnect', lost);
  return {
    reserve: (subject, limits, amounts) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        if (process.send?.({ rate: 'reserve', id, subject, limits, amounts } satisfies Ask) === undefined) lost();
      }),
    settle: (subject, limits, changes, window) =>
      void process.send?.({ rate: 'settle', subject, limits, changes, window } satisfies Ask),
    close() {
      process.off('message', onMessage);
      process.off('disconnect', lost);
      lost();
      return Promise.resolve();
    },
  };
}
