import type { RateState } from '../ports/rate-limiter.ts';

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
