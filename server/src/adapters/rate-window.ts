import { eachRateLimit, type RateAmounts, type RateLimit, rateLimits } from '../kernel/rate-limits.ts';
import type { RateLimits, RateState } from '../ports/rate-limiter.ts';

/** Length of the window that is counted in. */
export const WINDOW_MS = 60_000;

/** What a subject has used since its window began. */
export interface RateWindow {
  startedMs: number;
  used: Record<RateLimit, number>;
}

export const zeroUsage = (): Record<RateLimit, number> => eachRateLimit(() => 0);

/** Whether an amount goes beyond a limit. One that is larger than the whole limit could never pass: it may begin a window. */
const isBeyond = (used: number, amount: number, limit: number) => used >= limit || (used > 0 && used + amount > limit);

/** Whether one of the amounts goes beyond its limit. */
export function exceedsLimit({ used }: Readonly<RateWindow>, limits: RateLimits, amounts: RateAmounts): boolean {
  for (const name of rateLimits) {
    const limit = limits[name];
    if (limit !== null && isBeyond(used[name], amounts[name], limit)) return true;
  }
  return false;
}

/** The state after a reservation: the limit nearest to exhaustion, and when the window ends. */
export function rateState(window: Readonly<RateWindow>, limits: RateLimits, allowed: boolean, now: number): RateState {
  let limit: number | null = null;
  let used = 0;
  for (const name of rateLimits) {
    const next = limits[name];
    const nextUsed = window.used[name];
    if (next === null || (limit !== null && nextUsed / next <= used / limit)) continue;
    limit = next;
    used = nextUsed;
  }
  return {
    allowed,
    limit,
    remaining: limit === null ? 0 : Math.max(0, Math.floor(limit - used)),
    resetSeconds: Math.max(1, Math.ceil((window.startedMs + WINDOW_MS - now) / 1000)),
    window: window.startedMs,
  };
}
