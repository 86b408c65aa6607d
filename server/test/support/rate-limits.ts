import { eachRateLimit, type RateAmounts, type RateLimits, unlimited } from '../../src/kernel/rate-limits.ts';

/** Requests and tokens a minute, and no other limit. */
export const limits = (requestsPerMinute: number | null, tokensPerMinute: number | null = null): RateLimits => ({
  ...unlimited,
  requestsPerMinute,
  tokensPerMinute,
});

/** These amounts, and nothing of all else. */
export const amounts = (some: Partial<RateAmounts>): RateAmounts => ({ ...eachRateLimit(() => 0), ...some });

/** A request of so many tokens. */
export const request = (tokensPerMinute: number) => amounts({ requestsPerMinute: 1, tokensPerMinute });
/** So many tokens more, or less, than was reserved. */
export const tokens = (tokensPerMinute: number) => amounts({ tokensPerMinute });
