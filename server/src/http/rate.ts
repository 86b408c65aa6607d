import type { KeyRecord } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RateLimits, RateState } from '../ports/rate-limiter.ts';

/** What is shown as the limit where there is none. */
const NO_LIMIT = 2_147_483_647;

/** Headers of every authenticated response. Source: decisions section 1, "Rate limit". */
export function rateHeaders(state: RateState): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': String(state.limit ?? NO_LIMIT),
    'X-RateLimit-Remaining': String(state.limit === null ? NO_LIMIT : state.remaining),
    'X-RateLimit-Reset': String(state.resetSeconds),
  };
}

/** The key's own limits, each else the configured one. */
export const createLimitsOf =
  (defaults: RateLimits) =>
  ({ limits }: Pick<KeyRecord, 'limits'>): RateLimits => ({
    requestsPerMinute: limits.requestsPerMinute ?? defaults.requestsPerMinute,
    tokensPerMinute: limits.tokensPerMinute ?? defaults.tokensPerMinute,
  });

/** Throws the 429 of a reservation that was not granted. */
export function requireAllowed(state: RateState, whose = 'The rate limit of this API key'): void {
  if (state.allowed) return;
  throw new StudioError('rate_limited', `${whose} is reached; try again in ${state.resetSeconds} seconds`, {
    retryAfterSeconds: state.resetSeconds,
  });
}
