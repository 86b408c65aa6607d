import { type Actor, type Principal, subjectOf } from '../kernel/actor.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import type { ModelUse } from '../usage/index.ts';
import { amountsOf, Call, type CallDetails, type CallStages, requireAllowed } from './call.ts';
import type { ChatRouter, WholeCall, Work } from './routing/index.ts';

/** What is known of a call of any model but one for chats. */
export interface ModelCallDetails extends CallDetails<Principal & Pick<Actor, 'allowedModels'>> {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A call of models that answer as a whole: for vectors, reranking and sound. Verbs are given it, and meter what they take. */
export class ModelCall extends Call<ModelCallDetails> {
  /** The model that was metered last; null while none was. */
  model: string | null = null;
  readonly #router: Pick<ChatRouter, 'call'>;
  /** What is metered once the work of `run` is done; null where it is metered at once. */
  #held: ModelUse[] | null = null;

  constructor(stages: CallStages, router: Pick<ChatRouter, 'call'>, details: ModelCallDetails) {
    super(stages, details);
    this.#router = router;
  }

  /**
   * Does work on an engine that has the model, routed as chats are. Throws StudioError `unavailable`; EngineError of the last engine
   * that was tried; the reason of the call's signal.
   */
  ask<T>({ id, engines }: CatalogueModel, work: Work<T>, totalMs?: WholeCall['totalMs']): Promise<T> {
    const { requestId, signal } = this.details;
    return this.#router.call(
      { requestId, modelId: id, bindings: engines, signal, ...(totalMs === undefined ? {} : { totalMs }) },
      work,
    );
  }

  /** Canceled where nobody waits any more, and no outcome is given. */
  override meter(use: ModelUse): void {
    const { aborted } = this.details.signal;
    const whole: ModelUse = { outcome: aborted ? 'canceled' : use.error === undefined ? 'ok' : 'error', ...use };
    this.model = use.model;
    if (this.#held === null) super.meter(whole);
    else this.#held.push(whole);
  }

  /** Does work that may ask several models: they are metered once all of it is done, and none where it fails. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const held: ModelUse[] = (this.#held = []);
    // Where it fails, what still runs beside it is held for good.
    const done = await work();
    this.#held = null;
    for (const use of held) super.meter(use);
    return done;
  }
}

/** Begins calls of models. */
export interface Calls {
  /**
   * A call that counts as a request, and reserves an estimate of its tokens. Whoever gets it settles it. `told` hears what is left of
   * the limits, also where it is refused. Throws StudioError `rate_limited`.
   */
  admit(
    details: ModelCallDetails & { readonly actor: Actor },
    tokens: number,
    told?: (rate: RateState) => void,
  ): Promise<ModelCall>;
  /** A call that no limit counts: a part of one that was admitted, or work of the background. */
  within(details: ModelCallDetails): ModelCall;
  /** Counts a request that asks no model by itself, or was refused. Throws and tells as `admit`. */
  count(actor: Actor, told?: (rate: RateState) => void): Promise<void>;
}

export interface CallsDeps extends CallStages {
  readonly router: Pick<ChatRouter, 'call'>;
}

export function createCalls({ router, ...stages }: CallsDeps): Calls {
  const within = (details: ModelCallDetails) => new ModelCall(stages, router, details);
  return {
    within,
    async admit(details, tokens, told) {
      const call = within(details);
      try {
        await call.reserve(details.actor, tokens);
      } finally {
        if (call.rate) told?.(call.rate);
      }
      return call;
    },
    async count(actor, told) {
      const rate = await stages.limiter.reserve(subjectOf(actor), actor.limits, amountsOf(1, 0));
      told?.(rate);
      requireAllowed(actor, rate);
    },
  };
}
