import type { RateAmounts, RateLimits } from '../kernel/rate-limits.ts';

export type { RateLimits };

/** The state after a reservation, for the X-RateLimit headers. */
export interface RateState {
  readonly allowed: boolean;
  /** The limit that is nearest to exhaustion; null when there is none. */
  readonly limit: number | null;
  readonly remaining: number;
  /** Whole seconds until the window starts anew. */
  readonly resetSeconds: number;
  /** Identifies the window of the reservation, for `settle`. */
  readonly window: number;
}

/** Counts what each subject (an API key) uses in a minute. */
export interface RateLimiter {
  /** Reserves all these amounts, which may be estimates, or none. Returns synchronously where the counters are in this process. */
  reserve(subject: string, limits: RateLimits, amounts: RateAmounts): RateState | Promise<RateState>;
  /**
   * Corrects estimates once the true amounts are known: `changes` are these minus the reserved ones, `window` that
   * of the reservation. A past window is not corrected: the current one never held the estimates.
   */
  settle(subject: string, limits: RateLimits, changes: RateAmounts, window: number): void;
  close(): Promise<void>;
}
