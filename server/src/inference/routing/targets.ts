import { StudioError } from '../../kernel/errors.ts';
import { type EngineBinding, hasOwnTemplate } from '../../models/profile.ts';
import { troubleOf } from '../../ports/engine-trouble.ts';
import { EngineError } from '../../ports/engine.ts';
import { hashText } from './affinity.ts';
import { chooseTarget } from './choose.ts';
import type { Candidate, EngineAddress, ModelBackoff, Rest, Target } from './target.ts';

const FIRST_COOLDOWN_MS = 500;
const MAX_COOLDOWN_MS = 30_000;
/** Failures in a row that start no cooldown. */
const TOLERATED_FAILURES = 1;
const NOT_FOUND = 404;
/** Pause after a rate limit without Retry-After. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Seconds after which a call may be made again where all addresses of its model are drained. */
const DRAINED_RETRY_AFTER_SECONDS = 30;

/** The failure of a call when no target is left to try. */
export function nothingToTry(candidates: readonly Candidate[], modelId: string): EngineError {
  if (!candidates.every(({ target }) => target.drained))
    return new EngineError('unavailable', `All engines of the model ${modelId} were tried`);
  const detail = `The model ${modelId} is drained at all of its addresses; an administrator puts them back to work`;
  return new EngineError('unavailable', detail, { detail, retryAfterSeconds: DRAINED_RETRY_AFTER_SECONDS });
}

export interface TargetsOptions {
  /** Addresses by the name of the engine in the configuration. */
  readonly engines: ReadonlyMap<string, readonly EngineAddress[]>;
  readonly now: () => number;
  /** 0 to 1, for jitter and ties. */
  readonly random: () => number;
}

/** The pause that the server of a failure asked for. */
const retryAfterMs = ({ retryAfterSeconds, isRateLimit, busy }: EngineError): number =>
  Math.min((retryAfterSeconds ?? (isRateLimit || busy ? DEFAULT_RETRY_AFTER_SECONDS : 0)) * 1000, MAX_COOLDOWN_MS);

/**
 * Whether a failure is that of the address, so that other models need not try: it was not reached, or did not begin to answer. What a
 * server answers, and what took too long altogether, may be the fault of one model.
 */
const concernsAddress = ({ kind, status, limit }: EngineError): boolean =>
  status === null && kind !== 'protocol' && limit !== 'total' && limit !== 'whole_reply';

const rested = (): Rest => ({ failures: 0, coolingUntilMs: 0, probing: false });

function endRest(rest: Rest): void {
  rest.probing = false;
  rest.coolingUntilMs = 0;
}

/** Names an address of an engine. */
export interface AddressName {
  readonly engine: string;
  readonly url: string;
}
const keyOf = (name: string, url: string) => `${name} ${url}`;

const newTarget = (name: string, { engine, weight, url }: EngineAddress, drained: ReadonlySet<string>): Target => ({
  ...rested(),
  engine,
  weight,
  name,
  url: url ?? null,
  seed: hashText(url ?? engine.id),
  inFlight: 0,
  elsewhere: 0,
  drained: url !== undefined && drained.has(keyOf(name, url)),
  lastError: null,
  lastTrouble: null,
  calls: 0,
  failed: 0,
  removed: false,
  backoffs: new Map(),
});

function backoffOf({ backoffs }: Target, model: string): ModelBackoff {
  let backoff = backoffs.get(model);
  if (!backoff) backoffs.set(model, (backoff = { ...rested(), untilMs: 0 }));
  return backoff;
}

export function createTargets({ engines, now, random }: TargetsOptions) {
  const byEngine = new Map<string, readonly Target[]>();
  let drained: ReadonlySet<string> = new Set();
  const targetsOf = (name: string, addresses: readonly EngineAddress[]) =>
    addresses.map((address) => newTarget(name, address, drained));
  for (const [name, addresses] of engines) byEngine.set(name, targetsOf(name, addresses));
  let resolved = new WeakMap<readonly EngineBinding[], readonly Candidate[]>();

  const resolve = (bindings: readonly EngineBinding[], modelId: string): readonly Candidate[] => {
    const candidates = bindings.flatMap((binding) => {
      const { priority } = binding;
      const targets = byEngine.get(binding.engine) ?? [];
      const { model = modelId } = binding;
      return targets.map((target) => ({
        target,
        model,
        ownTemplate: hasOwnTemplate(binding, modelId),
        backoff: backoffOf(target, model),
        weight: binding.weight * target.weight,
        priority,
      }));
    });
    if (candidates.length === 0) {
      const names = bindings.map(({ engine }) => engine).join(', ');
      throw new StudioError(
        'unavailable',
        `The model ${modelId} is bound to the engine ${names}, which is not configured`,
      );
    }
    return candidates.toSorted((a, b) => a.priority - b.priority);
  };

  const closeIdle = (target: Target) => {
    if (target.removed && target.inFlight === 0) void target.engine.close();
  };
  /** Puts other targets under a name. Those it had finish what they are at. */
  const replace = (name: string, targets: readonly Target[] | null) => {
    const before = byEngine.get(name) ?? [];
    if (targets) byEngine.set(name, targets);
    else byEngine.delete(name);
    resolved = new WeakMap();
    for (const target of before) {
      target.removed = true;
      closeIdle(target);
    }
  };

  return {
    all: (): readonly Target[] => [...byEngine.values()].flat(),

    /** Adds an engine, or puts another in its place. */
    set: (name: string, addresses: readonly EngineAddress[]): void => replace(name, targetsOf(name, addresses)),

    /** Takes an engine away; its addresses are closed when their last call is over. */
    remove: (name: string): void => replace(name, null),

    /** The targets of a model, lowest priority number first. Throws StudioError `unavailable` when none of its engines is configured. */
    of(bindings: readonly EngineBinding[], modelId: string): readonly Candidate[] {
      let candidates = resolved.get(bindings);
      if (!candidates) resolved.set(bindings, (candidates = resolve(bindings, modelId)));
      return candidates;
    },

    /** The target that a call goes to, as {@link chooseTarget} says; none where all were tried, or are drained. */
    pick: (
      candidates: readonly Candidate[],
      tried: readonly Target[],
      findKey?: () => number | null,
    ): Candidate | undefined => chooseTarget(candidates, tried, { now: now(), random, findKey }),

    /** Whether there is another target that was not tried. */
    hasOther: (candidates: readonly Candidate[], tried: readonly Target[]): boolean =>
      candidates.some(({ target }) => !target.drained && !tried.includes(target)),

    /** Gives no new calls to these addresses, and to no others. What runs there goes on. */
    drain(addresses: readonly AddressName[]): void {
      drained = new Set(addresses.map(({ engine, url }) => keyOf(engine, url)));
      for (const targets of byEngine.values())
        for (const target of targets)
          target.drained = target.url !== null && drained.has(keyOf(target.name, target.url));
    },

    /** Whether there is an address that has as many calls as it takes at one time. */
    hasFull(): boolean {
      for (const targets of byEngine.values())
        for (const { engine } of targets) if (engine.isFull ?? (engine.refusal ?? null) !== null) return true;
      return false;
    },

    /** The failure of a call that began now, where all that it could try have more calls than they can take; null otherwise. */
    refusal(bindings: readonly EngineBinding[]): EngineError | null {
      let soonest: EngineError | null = null;
      // Where no call was made yet, nothing waits.
      for (const { target } of resolved.get(bindings) ?? []) {
        if (target.drained) continue;
        const refusal = target.engine.refusal ?? null;
        if (refusal === null) return null;
        if (soonest === null || (refusal.retryAfterSeconds ?? 0) < (soonest.retryAfterSeconds ?? 0)) soonest = refusal;
      }
      return soonest;
    },

    started({ target, backoff }: Candidate): void {
      target.inFlight++;
      target.calls++;
      if (target.failures > TOLERATED_FAILURES) target.probing = true;
      if (backoff.failures > TOLERATED_FAILURES) backoff.probing = true;
    },

    /** A call is over, in whichever way. */
    released({ target, backoff }: Candidate): void {
      target.inFlight--;
      target.probing = false;
      backoff.probing = false;
      if (target.removed) closeIdle(target);
    },

    /** The target responds; whether the reply completes is not known yet. */
    responded({ target, backoff }: Candidate): void {
      endRest(target);
      endRest(backoff);
    },

    succeeded({ target, backoff }: Candidate): void {
      endRest(target);
      endRest(backoff);
      target.failures = 0;
      backoff.failures = 0;
    },

    /** A health probe succeeded: calls may be tried again, and the cooldown goes on growing should they fail. */
    recovered(target: Target): void {
      target.coolingUntilMs = 0;
    },

    /**
     * A call failed. What its server answered counts for this model alone. A limit is no failure, nor is a full queue, there or here. A
     * limit is not lifted by a success: calls that began before may still end well.
     */
    failed({ target, backoff }: Candidate, error: EngineError): void {
      target.probing = false;
      backoff.probing = false;
      if (error.status !== null) backoff.untilMs = Math.max(backoff.untilMs, now() + retryAfterMs(error));
      if (error.isRateLimit || error.busy) return;
      target.failed++;
      target.lastError = error.message;
      target.lastTrouble = troubleOf(error);
      // A model that is not there says nothing of the others at this address; neither does one that a local process cannot take now.
      if (error.status === NOT_FOUND || (error.status === null && error.retryAfterSeconds !== null)) return;
      const rest = concernsAddress(error) ? target : backoff;
      rest.failures++;
      const beyond = rest.failures - TOLERATED_FAILURES;
      const grown =
        beyond > 0 ? Math.min(MAX_COOLDOWN_MS, FIRST_COOLDOWN_MS * 2 ** (beyond - 1)) * (0.75 + random() / 2) : 0;
      rest.coolingUntilMs = now() + grown;
    },
  };
}

/** Whether an address, or every model of it that was wanted, is not asked at the moment unless there is nothing else. */
export const isResting = ({ coolingUntilMs, backoffs }: Target, now: number): boolean =>
  coolingUntilMs > now ||
  (backoffs.size > 0 && [...backoffs.values()].every((backoff) => backoff.coolingUntilMs > now));

export type Targets = ReturnType<typeof createTargets>;
