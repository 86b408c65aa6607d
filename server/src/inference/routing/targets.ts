import { StudioError } from '../../kernel/errors.ts';
import { type EngineBinding, hasOwnTemplate } from '../../models/profile.ts';
import { troubleOf } from '../../ports/engine-trouble.ts';
import { type Engine, EngineError, type EngineTrouble } from '../../ports/engine.ts';
import { distanceOf, hashText } from './affinity.ts';

/** An address of an engine of the configuration. */
export interface EngineAddress {
  readonly engine: Engine;
  /** Share of the calls among the addresses of one engine. */
  readonly weight: number;
  /** Where it is, without secrets: the same in all processes. Left out for what is in this process or machine. */
  readonly url?: string;
}

/** Whether something may be asked after failures. */
interface Rest {
  /** Failures since the last success. */
  failures: number;
  /** No calls before this moment, unless there is nothing else. */
  coolingUntilMs: number;
  /** Whether a first call after a cooldown is under way; others go elsewhere until it has an answer. */
  probing: boolean;
}

/** What is known of one address: shared by all models that are bound to it. It rests where it is not reached. */
export interface Target extends Rest {
  readonly engine: Engine;
  readonly weight: number;
  /** Name of the engine in the configuration. */
  readonly name: string;
  readonly url: string | null;
  /** What tells it from others in the choice by a key. */
  readonly seed: number;
  inFlight: number;
  /** Calls of other processes and machines under way there, as far as is known. */
  elsewhere: number;
  /** No new calls, until it is put back to work. */
  drained: boolean;
  lastError: string | null;
  lastTrouble: EngineTrouble | null;
  calls: number;
  failed: number;
  /** Its engine was taken away: no new calls, and closed with the last one. */
  removed: boolean;
  /** Pauses of single models, by its own names of them: what is wrong with one does not affect the others. */
  readonly backoffs: Map<string, ModelBackoff>;
}

/** A model at an address: it rests where its server answers, but fails. */
interface ModelBackoff extends Rest {
  /** The server asked for no calls before this moment: other targets are preferred until then. */
  untilMs: number;
}

/** A target as a model's binding names it. */
export interface Candidate {
  readonly target: Target;
  /** The engine's own name of the model. */
  readonly model: string;
  /** Whether it has the model's own chat template. */
  readonly ownTemplate: boolean;
  readonly backoff: ModelBackoff;
  readonly weight: number;
  readonly priority: number;
}

const FIRST_COOLDOWN_MS = 500;
const MAX_COOLDOWN_MS = 30_000;
/** Failures in a row that start no cooldown. */
const TOLERATED_FAILURES = 1;
const NOT_FOUND = 404;
/**
 * Calls at the address that has the cache: so many times its share of all, or so many more than that, whichever is more, before another is
 * nearer. Figures: docs/decisions/routing.md.
 */
const MAX_LOAD = 1.25;
const MIN_EXTRA_CALLS = 8;
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

/** Calls under way at a target, wherever they come from. */
const callsAt = ({ inFlight, elsewhere }: Target): number => inFlight + elsewhere;

/** When it may be asked. */
const readyAt = ({ target, backoff }: Candidate): number =>
  Math.max(target.coolingUntilMs, backoff.coolingUntilMs, backoff.untilMs);

const isReady = (candidate: Candidate, now: number): boolean =>
  readyAt(candidate) <= now && !candidate.target.probing && !candidate.backoff.probing;

/** The pause that the server of a failure asked for. */
const retryAfterMs = ({ retryAfterSeconds, isRateLimit, busy }: EngineError): number =>
  Math.min((retryAfterSeconds ?? (isRateLimit || busy ? DEFAULT_RETRY_AFTER_SECONDS : 0)) * 1000, MAX_COOLDOWN_MS);

/**
 * Whether a failure is that of the address, so that other models need not try: it was not reached, or did not begin to answer. What a
 * server answers, and what took too long altogether, may be the fault of one model.
 */
const concernsAddress = ({ kind, status, limit }: EngineError): boolean =>
  status === null && kind !== 'protocol' && limit !== 'total' && limit !== 'whole_reply';

const noKey = () => null;

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

    /**
     * Of the healthy targets of the lowest priority the one that has the key in its cache, unless that one has more calls than its share; without
     * a key the least busy. Both are measured by weight. When all are cooling or resting, the one that is ready soonest: a try costs less
     * than a refusal. None where all were tried, or are drained.
     */
    pick(
      candidates: readonly Candidate[],
      tried: readonly Target[],
      findKey: () => number | null = noKey,
    ): Candidate | undefined {
      const at = now();
      const mayTry = ({ target }: Candidate) => !target.drained && !tried.includes(target);
      let best: Candidate | undefined;
      let bestLoad = Infinity;
      let soonest: Candidate | undefined;
      let soonestMs = Infinity;
      let count = 0;
      let calls = 1;
      let weights = 0;
      for (const candidate of candidates) {
        if (!mayTry(candidate)) continue;
        if (!isReady(candidate, at)) {
          const readyMs = readyAt(candidate);
          if (readyMs < soonestMs) {
            soonest = candidate;
            soonestMs = readyMs;
          }
          continue;
        }
        if (best && candidate.priority > best.priority) break;
        count++;
        calls += callsAt(candidate.target);
        weights += candidate.weight;
        const load = (callsAt(candidate.target) + 1) / candidate.weight;
        if (load < bestLoad || (load === bestLoad && random() < 0.5)) {
          best = candidate;
          bestLoad = load;
        }
      }
      const key = count > 1 ? findKey() : null;
      if (!best || key === null) return best ?? soonest;
      // Several are ready: the nearest one to the key that is not too busy. The least busy one never is.
      let nearest = best;
      let nearestBy = Infinity;
      for (const candidate of candidates) {
        const { target, weight, priority } = candidate;
        if (priority !== best.priority || !mayTry(candidate) || !isReady(candidate, at)) continue;
        const share = (calls * weight) / weights;
        if (callsAt(target) + 1 > Math.max(share * MAX_LOAD, share + MIN_EXTRA_CALLS)) continue;
        const distance = distanceOf(key, target.seed, weight);
        if (distance >= nearestBy) continue;
        nearest = candidate;
        nearestBy = distance;
      }
      return nearest;
    },

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
