import type { RateLimits, RateState } from '../ports/rate-limiter.ts';

/** Length of the window that requests and tokens are counted in. */
export const WINDOW_MS = 60_000;

/** What a subject has used since its window began. */
export interface RateWindow {
  startedMs: number;
  requests: number;
  tokens: number;
}

/** How near a count is to its limit; -1 without a limit. */
const share = (used: number, limit: number | null) => (limit === null ? -1 : used / limit);

/** What a reservation is told: the limit that is nearest to its end, and when the window is over. */
export function rateState(window: Readonly<RateWindow>, limits: RateLimits, allowed: boolean, now: number): RateState {
  const { requestsPerMinute, tokensPerMinute } = limits;
  const byTokens = share(window.tokens, tokensPerMinute) > share(window.requests, requestsPerMinute);
  const limit = byTokens ? tokensPerMinute : requestsPerMinute;
  const used = byTokens ? window.tokens : window.requests;
  return {
    allowed,
    limit,
    remaining: limit === null ? 0 : Math.max(0, Math.floor(limit - used)),
    resetSeconds: Math.max(1, Math.ceil((window.startedMs + WINDOW_MS - now) / 1000)),
    window: window.startedMs,
  };
}
