import { createClusterRateLimiter } from '../../src/adapters/embedded/cluster-rate-limiter.ts';
import type { RateLimits } from '../../src/ports/rate-limiter.ts';

/** What the test has this worker do with its limiter. */
export type Task =
  | {
      readonly task: 'reserve';
      readonly id: number;
      readonly subject: string;
      readonly limits: RateLimits;
      readonly tokens: number;
    }
  | {
      readonly task: 'settle';
      readonly subject: string;
      readonly limits: RateLimits;
      readonly tokens: number;
      readonly window: number;
    };

const limiter = createClusterRateLimiter();
process.on('message', (message: Task) => {
  if (message.task === 'settle') limiter.settle(message.subject, message.limits, message.tokens, message.window);
  if (message.task !== 'reserve') return;
  const { id, subject, limits, tokens } = message;
  void Promise.resolve(limiter.reserve(subject, limits, tokens)).then((state) => process.send?.({ done: id, state }));
});
process.send?.({ done: -1 });
