import { StudioError } from '../../kernel/errors.ts';
import type { EngineBinding } from '../../models/profile.ts';
import type { Engine, EngineError } from '../../ports/engine.ts';

/** An address of an engine of the configuration. */
export interface EngineAddress {
  readonly engine: Engine;
  /** Share of the calls among the addresses of one engine. */
  readonly weight: number;
}

/** What is known of one address: shared by all models that are bound to it. */
export interface Target {
  readonly engine: Engine;
  readonly weight: number;
  inFlight: number;
  /** Failures since the last success. */
  failures: number;
  /** No calls before this moment, unless there is nothing else. */
  coolingUntilMs: number;
  lastError: string | null;
  calls: number;
  failed: number;
}

/** A target as a model's binding names it. */
export interface Candidate {
  readonly target: Target;
  /** The engine's own name of the model. */
  readonly model: string;
  readonly weight: number;
  readonly priority: number;
}

const FIRST_COOLDOWN_MS = 500;
const LONGEST_COOLDOWN_MS = 30_000;
/** So many failures in a row are taken for chance. */
const FORGIVEN_FAILURES = 1;

export interface TargetsOptions {
  /** Addresses by the name of the engine in the configuration. */
  readonly engines: ReadonlyMap<string, readonly EngineAddress[]>;
  readonly now: () => number;
  /** 0 to 1, for jitter and ties. */
  readonly random: () => number;
}

export function createTargets({ engines, now, random }: TargetsOptions) {
  const byEngine = new Map<string, Target[]>();
  for (const [name, addresses] of engines) {
    byEngine.set(
      name,
      addresses.map(({ engine, weight }) => ({
        engine,
        weight,
        inFlight: 0,
        failures: 0,
        coolingUntilMs: 0,
        lastError: null,
        calls: 0,
        failed: 0,
      })),
    );
  }
  const resolved = new WeakMap<readonly EngineBinding[], readonly Candidate[]>();

  const resolve = (bindings: readonly EngineBinding[], modelId: string): readonly Candidate[] => {
    const candidates = bindings.flatMap((binding) => {
      const targets = byEngine.get(binding.engine);
      if (!targets) {
        throw new StudioError('unavailable', `The model ${modelId} is bound to the engine ${binding.engine}, which is not configured`);
      }
      const { priority } = binding;
      return targets.map((target) => ({ target, model: binding.model ?? modelId, weight: binding.weight * target.weight, priority }));
    });
    return candidates.toSorted((a, b) => a.priority - b.priority);
  };

  return {
    all: (): readonly Target[] => [...byEngine.values()].flat(),

    /** The targets of a model, lowest priority number first. Throws StudioError `unavailable` for an engine that is not configured. */
    of(bindings: readonly EngineBinding[], modelId: string): readonly Candidate[] {
      let candidates = resolved.get(bindings);
      if (!candidates) resolved.set(bindings, (candidates = resolve(bindings, modelId)));
      return candidates;
    },

    /**
     * The least busy of the healthy targets of the lowest priority, measured by weight. When all are cooling, the one
     * that is ready soonest: a try costs less than a refusal.
     */
    pick(candidates: readonly Candidate[], tried: ReadonlySet<Target>): Candidate | undefined {
      const at = now();
      let best: Candidate | undefined;
      let bestLoad = Infinity;
      let soonest: Candidate | undefined;
      for (const candidate of candidates) {
        const { target } = candidate;
        if (tried.has(target)) continue;
        if (target.coolingUntilMs > at) {
          if (!soonest || target.coolingUntilMs < soonest.target.coolingUntilMs) soonest = candidate;
          continue;
        }
        if (best && candidate.priority > best.priority) break;
        const load = (target.inFlight + 1) / candidate.weight;
        if (load < bestLoad || (load === bestLoad && random() < 0.5)) {
          best = candidate;
          bestLoad = load;
        }
      }
      return best ?? soonest;
    },

    succeeded(target: Target): void {
      target.failures = 0;
      target.coolingUntilMs = 0;
    },

    failed(target: Target, error: EngineError): void {
      target.failed++;
      target.failures++;
      target.lastError = error.message;
      const asked = (error.retryAfterSeconds ?? 0) * 1000;
      const beyond = target.failures - FORGIVEN_FAILURES;
      const grown = beyond > 0 ? Math.min(LONGEST_COOLDOWN_MS, FIRST_COOLDOWN_MS * 2 ** (beyond - 1)) * (0.75 + random() / 2) : 0;
      target.coolingUntilMs = now() + Math.max(Math.min(asked, LONGEST_COOLDOWN_MS), grown);
    },
  };
}
export type Targets = ReturnType<typeof createTargets>;
