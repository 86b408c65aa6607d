import type { RateLimits } from '../kernel/actor.ts';

export type { RateLimits };

/** What a reservation left, for the X-RateLimit headers. */
export interface RateState {
  readonly allowed: boolean;
  /** The limit that is nearest to its end: requests or tokens a minute; null when there is none. */
  readonly limit: number | null;
  readonly remaining: number;
  /** Whole seconds until the window starts anew. */
  readonly resetSeconds: number;
  /** Names the window that was counted in, for `settle`. */
  readonly window: number;
}

/** Counts requests and tokens a minute for each subject (an API key). */
export interface RateLimiter {
  /** Takes one request and an estimate of its tokens. Answers at once where the counters are in this process. */
  reserve(subject: string, limits: RateLimits, tokens: number): RateState | Promise<RateState>;
  /**
   * Corrects the estimate once the true number is known: `tokens` is the true number minus the reserved one, `window` that
   * of the reservation. A window that is over is not corrected: the present one never held the estimate.
   */
  settle(subject: string, limits: RateLimits, tokens: number, window: number): void;
  close(): Promise<void>;
}
