import type { Actor } from '../kernel/actor.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import type { ModelUse } from '../usage/index.ts';
import { Admission, Call, type CallAccounting, type CallDetails } from './call.ts';
import type { UnaryRouter, UnaryCall, Work } from './routing/index.ts';

/** What is known of a call of any model but one for chats. */
export interface ModelCallDetails extends CallDetails<Actor> {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A call with a single reply: embeddings, reranking and audio. The code that makes it meters the usage. */
export class ModelCall extends Call<ModelCallDetails> {
  /** The model that was metered last; null while none was. */
  model: string | null = null;
  readonly #router: UnaryRouter;
  /** Usage that `deferMetering` records once its work is done; null while usage is metered at once. */
  #deferred: ModelUse[] | null = null;

  constructor(stages: CallAccounting, router: UnaryRouter, details: ModelCallDetails) {
    super(stages, details);
    this.#router = router;
  }

  /**
   * Does work on an engine that has the model, routed as chats are. Throws StudioError `unavailable`; EngineError of the last engine
   * that was tried; the reason of the call's signal.
   */
  execute<T>({ id, engines }: CatalogueModel, work: Work<T>, totalMs?: UnaryCall['totalMs']): Promise<T> {
    const { requestId, signal } = this.details;
    return this.#router.call(
      { requestId, modelId: id, bindings: engines, signal, ...(totalMs === undefined ? {} : { totalMs }) },
      work,
    );
  }

  /** Where no outcome is given it is `canceled` once the caller is gone, else it follows from the error. */
  override meter(use: ModelUse): void {
    const { aborted } = this.details.signal;
    const whole: ModelUse = { outcome: aborted ? 'canceled' : use.error === undefined ? 'ok' : 'error', ...use };
    this.model = use.model;
    if (this.#deferred === null) super.meter(whole);
    else this.#deferred.push(whole);
  }

  /** Runs work that may call several models: their usage is metered once all of it succeeded, and not at all where it fails. */
  async deferMetering<T>(work: () => Promise<T>): Promise<T> {
    const deferred: ModelUse[] = (this.#deferred = []);
    // After a failure the usage of calls that still run is never metered.
    const done = await work();
    this.#deferred = null;
    for (const use of deferred) super.meter(use);
    return done;
  }
}

/** Admits calls within the limits of who makes them. */
export interface CallAdmission {
  /**
   * A call that counts as a request, and reserves an estimate of its tokens. Whoever gets it settles it. `onRate` gets what is left of
   * the limits, also where it is refused. Throws StudioError `rate_limited`.
   */
  admit(details: ModelCallDetails, tokens: number, onRate?: (rate: RateState) => void): Promise<ModelCall>;
  /** Counts a request that asks no model by itself, or was refused. Throws and tells as `admit`. */
  count(actor: Actor, onRate?: (rate: RateState) => void): Promise<void>;
}

/** Opens calls that no limit counts. */
export interface UnlimitedCalls {
  /** A call that no limit counts: a part of one that was admitted, or work of the background. */
  openUnlimited(details: ModelCallDetails): ModelCall;
}

/** Begins calls of models. */
export type Calls = CallAdmission & UnlimitedCalls;

export interface CallsDeps extends CallAccounting {
  readonly router: UnaryRouter;
}

/** Tells what is left of the limits, also where the call is refused. */
async function reserve(
  admission: Admission,
  actor: Actor,
  tokens: number,
  onRate?: (rate: RateState) => void,
): Promise<void> {
  try {
    await admission.reserve(actor, tokens);
  } finally {
    if (admission.rate) onRate?.(admission.rate);
  }
}

export function createCalls({ router, ...stages }: CallsDeps): Calls {
  const openUnlimited = (details: ModelCallDetails) => new ModelCall(stages, router, details);
  return {
    openUnlimited,
    async admit(details, tokens, onRate) {
      const call = openUnlimited(details);
      await reserve(call, details.actor, tokens, onRate);
      return call;
    },
    count: (actor, onRate) => reserve(new Admission(stages.limiter), actor, 0, onRate),
  };
}
