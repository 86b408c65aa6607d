import cluster, { type Worker } from 'node:cluster';
import { StudioError } from '../../kernel/errors.ts';
import type { RateAmounts } from '../../kernel/rate-limits.ts';
import type { RateLimiter, RateLimits, RateState } from '../../ports/rate-limiter.ts';

/** Message of a worker to the primary process, which counts for all workers. */
type RateRequest =
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

interface RateResponse {
  readonly rate: 'state';
  readonly id: number;
  readonly state: RateState;
}

const isRateRequest = (message: unknown): message is RateRequest => {
  const kind = (message as { rate?: unknown } | null)?.rate;
  return kind === 'reserve' || kind === 'settle';
};
const isRateResponse = (message: unknown): message is RateResponse =>
  (message as { rate?: unknown } | null)?.rate === 'state';

/** In the primary process: counts for all workers. Returns the function that stops it. */
export function serveRateLimiter(limiter: RateLimiter): () => void {
  const handleRequest = async (worker: Worker, request: RateRequest) => {
    if (request.rate === 'settle')
      return limiter.settle(request.subject, request.limits, request.changes, request.window);
    const state = await limiter.reserve(request.subject, request.limits, request.amounts);
    const response: RateResponse = { rate: 'state', id: request.id, state };
    if (worker.isConnected()) worker.send(response);
  };
  const onMessage = (worker: Worker, message: unknown) => {
    if (isRateRequest(message)) void handleRequest(worker, message);
  };
  cluster.on('message', onMessage);
  return () => void cluster.off('message', onMessage);
}

/** In a worker: asks the primary, so that a key's limit is one limit however many workers there are. */
export function createClusterRateLimiter(): RateLimiter {
  const pending = new Map<number, { resolve: (state: RateState) => void; reject: (error: unknown) => void }>();
  let next = 0;
  const onMessage = (message: unknown) => {
    if (!isRateResponse(message)) return;
    pending.get(message.id)?.resolve(message.state);
    pending.delete(message.id);
  };
  const rejectPending = () => {
    for (const { reject } of pending.values())
      reject(new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 }));
    pending.clear();
  };
  process.on('message', onMessage);
  process.once('disconnect', rejectPending);
  return {
    reserve: (subject, limits, amounts) =>
      new Promise((resolve, reject) => {
        const id = next++;
        pending.set(id, { resolve, reject });
        if (process.send?.({ rate: 'reserve', id, subject, limits, amounts } satisfies RateRequest) === undefined)
          rejectPending();
      }),
    settle: (subject, limits, changes, window) =>
      void process.send?.({ rate: 'settle', subject, limits, changes, window } satisfies RateRequest),
    close() {
      process.off('message', onMessage);
      process.off('disconnect', rejectPending);
      rejectPending();
      return Promise.resolve();
    },
  };
}
