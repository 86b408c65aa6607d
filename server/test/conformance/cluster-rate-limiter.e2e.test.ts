import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { serveRateLimiter } from '../../src/adapters/embedded/cluster-rate-limiter.ts';
import { createMemoryRateLimiter } from '../../src/adapters/embedded/memory-rate-limiter.ts';
import type { RateLimiter, RateState } from '../../src/ports/rate-limiter.ts';
import type { Task } from './limited-worker.fixture.ts';
import { rateLimiterConformance } from './rate-limiter.ts';

// The limiter of a worker process, asked by way of messages; this process counts, and has the clock.

interface Done {
  readonly done: number;
  readonly state: RateState;
}

let worker: Worker;
let asked = 0;
const waiting = new Map<number, (state: RateState) => void>();

beforeAll(async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'limited-worker.fixture.ts') });
  worker = cluster.fork();
  await once(worker, 'message');
  worker.on('message', ({ done, state }: Done) => {
    waiting.get(done)?.(state);
    waiting.delete(done);
  });
});
afterAll(async () => {
  const gone = once(worker, 'exit');
  worker.kill();
  await gone;
});

rateLimiterConformance('of a worker', () => {
  let now = 1_000_000;
  const counting = createMemoryRateLimiter(() => now);
  const stop = serveRateLimiter(counting);
  const tell = (task: Task) => worker.send(task);
  const limiter: RateLimiter = {
    reserve: (subject, limits, amounts) =>
      new Promise((resolve) => {
        const id = asked++;
        waiting.set(id, resolve);
        tell({ task: 'reserve', id, subject, limits, amounts });
      }),
    settle: (subject, limits, amounts, window) => void tell({ task: 'settle', subject, limits, amounts, window }),
    async close() {
      stop();
      await counting.close();
    },
  };
  return { limiter, pass: (ms) => (now += ms) };
});
