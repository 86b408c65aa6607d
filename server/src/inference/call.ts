import { type Actor, type Principal, subjectOf } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { CallPriority } from '../kernel/priority.ts';
import type { RateAmounts } from '../kernel/rate-limits.ts';
import type { RateLimiter, RateState } from '../ports/rate-limiter.ts';
import type { MeteredCall, UsageRecorder, ModelUse } from '../usage/index.ts';

/** Rate limiter and meter: calls are counted against limits before they run, and metered once their usage is known. */
export interface CallAccounting {
  readonly limiter: Pick<RateLimiter, 'reserve' | 'settle'>;
  readonly metering: UsageRecorder;
}

/** A call, as it is known before a model runs. */
export interface CallDetails<Who extends Principal = Principal> extends MeteredCall {
  readonly actor: Who;
  /** Names the call in logs. */
  readonly requestId: string;
  /** Its turn where calls wait for an address; `interactive` when left out. */
  readonly priority?: CallPriority | undefined;
  /**
   * Names the conversation, or the session of an agent, that it belongs to, in visible ASCII: its chats go to the address that has the
   * prompt in its cache, and routers behind that are told. When left out, or null, the beginning of the prompt tells.
   */
  readonly session?: string | null | undefined;
}

/** What limits count of a call. */
const rateAmounts = (requestsPerMinute: number, tokensPerMinute: number): RateAmounts => ({
  requestsPerMinute,
  tokensPerMinute,
});

/** Throws the 429 of a reservation that was not granted: StudioError `rate_limited`. */
function requireWithinLimits({ keyId }: Principal, { allowed, resetSeconds }: RateState): void {
  if (allowed) return;
  const whose = keyId === null ? 'Your rate limit' : 'The rate limit of this API key';
  throw new StudioError('rate_limited', `${whose} is reached; try again in ${resetSeconds} seconds`, {
    retryAfterSeconds: resetSeconds,
  });
}

/** Of two counts of one call what is nearer to its end. */
function nearest(before: RateState | null, now: RateState): RateState {
  if (before?.allowed !== true || before.limit === null || !now.allowed) return now;
  if (now.limit === null) return before;
  return now.remaining / now.limit < before.remaining / before.limit ? now : before;
}

/** The admission of a call: an estimate is reserved before it runs, and corrected once it is known what it took. */
export class Admission {
  /** What is left of the actor's limits; null until it was counted against them. */
  rate: RateState | null = null;
  readonly #limiter: CallAccounting['limiter'];
  /** By whose limits it was counted; null where none count it. */
  #counted: Actor | null = null;
  /** Of the last reservation. */
  #window = 0;
  /** Tokens that are reserved and were not used. */
  #unused = 0;

  constructor(limiter: CallAccounting['limiter']) {
    this.#limiter = limiter;
  }

  /**
   * Counts one request and an estimate of its tokens, at once where memory counts them; done again, tokens alone. Throws, or rejects
   * with, StudioError `rate_limited`, with `rate` set.
   */
  reserve(actor: Actor, tokens: number): Promise<void> | undefined {
    const isFirst = this.#counted === null;
    const limits = isFirst ? actor.limits : { ...actor.limits, requestsPerMinute: null };
    const decided = this.#limiter.reserve(subjectOf(actor), limits, rateAmounts(isFirst ? 1 : 0, tokens));
    if (decided instanceof Promise) return decided.then((state) => this.#count(actor, tokens, state));
    this.#count(actor, tokens, decided);
    return undefined;
  }

  #count(actor: Actor, tokens: number, state: RateState): void {
    this.rate = nearest(this.rate, state);
    this.#window = state.window;
    requireWithinLimits(actor, state);
    this.#counted = actor;
    this.#unused += tokens;
  }

  /** Tokens that count against the limits, beyond those that are metered here. */
  spend(tokens: number): void {
    this.#unused -= tokens;
  }

  /** Corrects the estimate by what was spent; all of it goes back where nothing was. Safe to repeat. */
  settle(): void {
    const actor = this.#counted;
    if (actor && this.#unused !== 0)
      this.#limiter.settle(subjectOf(actor), actor.limits, rateAmounts(0, -this.#unused), this.#window);
    this.#unused = 0;
  }
}

/**
 * The stages that calls of every kind of model have in common, each in one place: reserve, meter, settle. What runs between
 * them is the kind's own. A class, as thousands are open at one time.
 */
export class Call<C extends CallDetails = CallDetails> extends Admission {
  readonly details: C;
  readonly #metering: UsageRecorder;

  constructor({ limiter, metering }: CallAccounting, details: C) {
    super(limiter);
    this.#metering = metering;
    this.details = details;
  }

  /** Makes the usage row of what a model took; its tokens count against the limits. `kept` as of {@link UsageRecorder.record}. */
  meter(use: ModelUse, kept?: () => void): void {
    this.spend((use.promptTokens ?? 0) + (use.completionTokens ?? 0));
    this.#metering.record(this.details, use, kept);
  }
}
