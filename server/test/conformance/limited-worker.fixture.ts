import { createClusterRateLimiter } from '../../src/adapters/embedded/cluster-rate-limiter.ts';
import type { RateAmounts } from '../../src/kernel/rate-limits.ts';
import type { RateLimits } from '../../src/ports/rate-limiter.ts';

/** What the test has this worker do with its limiter. */
export type Task =
  | {
      readonly task: 'reserve';
      readonly id: number;
      readonly subject: string;
      readonly limits: RateLimits;
      readonly amounts: RateAmounts;
    }
  | {
      readonly task: 'settle';
      readonly subject: string;
      readonly limits: RateLimits;
      readonly amounts: RateAmounts;
      readonly window: number;
    };

const limiter = createClusterRateLimiter();
process.on('message', (message: Task) => {
  if (message.task === 'settle') limiter.settle(message.subject, message.limits, message.amounts, message.window);
  if (message.task !== 'reserve') return;
  const { id, subject, limits, amounts } = message;
  void Promise.resolve(limiter.reserve(subject, limits, amounts)).then((state) => process.send?.({ done: id, state }));
});
process.send?.({ done: -1 });
