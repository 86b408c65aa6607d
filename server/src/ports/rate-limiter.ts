import type { RateLimits } from '../kernel/actor.ts';

export type { RateLimits };

/** The state after a reservation, for the X-RateLimit headers. */
export interface RateState {
  readonly allowed: boolean;
  /** The limit that is nearest to exhaustion: requests or tokens a minute; null when there is none. */
  readonly limit: number | null;
  readonly remaining: number;
  /** Whole seconds until the window starts anew. */
  readonly resetSeconds: number;
  /** Identifies the window of the reservation, for `settle`. */
  readonly window: number;
}

/** Counts requests and tokens a minute for each subject (an API key). */
export interface RateLimiter {
  /** Reserves one request and an estimate of its tokens. Returns synchronously where the counters are in this process. */
  reserve(subject: string, limits: RateLimits, tokens: number): RateState | Promise<RateState>;
  /**
   * Corrects the estimate once the true number is known: `tokens` is the true number minus the reserved one, `window` that
   * of the reservation. A past window is not corrected: the current one never held the estimate.
   */
  settle(subject: string, limits: RateLimits, tokens: number, window: number): void;
  close(): Promise<void>;
}
