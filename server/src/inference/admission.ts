import { type Actor, subjectOf } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RateLimiter, RateState } from '../ports/rate-limiter.ts';

/** Counts what actors ask for against their limits. */
export interface Admission {
  /** Takes one request and an estimate of its tokens. At once where the counters are in this process. */
  reserve(actor: Actor, tokens: number): RateState | Promise<RateState>;
  /** Corrects the estimate of a reservation once the true number of tokens is known. */
  settle(actor: Actor, { window }: RateState, reserved: number, used: number): void;
}

export const createAdmission = (limiter: Pick<RateLimiter, 'reserve' | 'settle'>): Admission => ({
  reserve: (actor, tokens) =>
    limiter.reserve(subjectOf(actor), actor.limits, { requestsPerMinute: 1, tokensPerMinute: tokens }),
  settle: (actor, { window }, reserved, used) =>
    limiter.settle(subjectOf(actor), actor.limits, { requestsPerMinute: 0, tokensPerMinute: used - reserved }, window),
});

/** Throws the 429 of a reservation that was not granted: StudioError `rate_limited`. */
export function requireAllowed({ keyId }: Pick<Actor, 'keyId'>, { allowed, resetSeconds }: RateState): void {
  if (allowed) return;
  const whose = keyId === null ? 'Your rate limit' : 'The rate limit of this API key';
  throw new StudioError('rate_limited', `${whose} is reached; try again in ${resetSeconds} seconds`, {
    retryAfterSeconds: resetSeconds,
  });
}
