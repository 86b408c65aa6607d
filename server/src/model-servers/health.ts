import type { EngineAddress, TargetState } from '../inference/index.ts';
import type { EngineTrouble } from '../ports/engine.ts';
import { trouble } from '../ports/engine-trouble.ts';

/** The health of an engine, for people. */
export interface EngineState {
  readonly state: 'healthy' | 'unhealthy' | 'unknown';
  /** Why it is not healthy. */
  readonly reason: string | null;
  /** The reason by name, where it has one. */
  readonly trouble: EngineTrouble | null;
  /** Running calls, of all processes as far as they are known. */
  readonly inFlight: number;
}

/** Minimum time between two checks of a server, as the page reloads often. */
const CACHE_MS = 5_000;
const TIMEOUT_MS = 1_500;

type Problem = Pick<EngineState, 'reason' | 'trouble'>;

interface HealthCheck {
  readonly atMs: number;
  readonly result: Promise<Problem | null>;
}

export interface EngineHealthDeps {
  /** States of all targets of this process. */
  readonly states: () => readonly TargetState[];
  /** Addresses of an engine; empty where it is unknown. */
  readonly addressesOf: (name: string) => readonly EngineAddress[];
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const TIMED_OUT: Problem = { reason: 'It did not answer in time', trouble: trouble('engine_slow') };

const belongsTo = (name: string, target: TargetState) => target.name === name;

/** Reports the health of engines: by their last calls, and by a check of each. */
export function createEngineHealth({ states, addressesOf, now = () => performance.now() }: EngineHealthDeps) {
  const checks = new WeakMap<EngineAddress['engine'], HealthCheck>();

  /** Resolves with null where the engine is healthy, else with the problem. */
  const checkHealth = async ({ engine }: EngineAddress): Promise<Problem | null> => {
    const at = now();
    const lastCheck = checks.get(engine);
    if (lastCheck && at - lastCheck.atMs < CACHE_MS) return lastCheck.result;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const timedOut = new Promise<Problem>((resolve) =>
      timeout.addEventListener('abort', () => resolve(TIMED_OUT), { once: true }),
    );
    const health = engine.health(timeout).then(
      ({ ok, reason, trouble: engineTrouble = null }) =>
        ok ? null : { reason: reason ?? 'It is not well', trouble: engineTrouble },
      () => timedOut,
    );
    // The first probe of a server may take longer than the engine's own time limit.
    const result = Promise.race([health, timedOut]);
    checks.set(engine, { atMs: at, result });
    return result;
  };

  return {
    /** Its addresses, as far as they are at one, in their order. */
    addresses: (name: string): readonly TargetState[] =>
      states().filter((target) => belongsTo(name, target) && target.url !== null),

    /** State of an engine: healthy as long as one of its addresses is. */
    async of(name: string): Promise<EngineState> {
      const addresses = addressesOf(name);
      const targets = states().filter((target) => belongsTo(name, target));
      const inFlight = targets.reduce((sum, target) => sum + target.inFlight + target.elsewhere, 0);
      if (addresses.length === 0 || targets.length === 0)
        return {
          state: 'unhealthy',
          reason: 'There is no such engine now',
          trouble: trouble('engine_missing'),
          inFlight,
        };
      const working = targets.filter((target) => !target.drained);
      if (working.length === 0)
        return { state: 'unhealthy', reason: 'It is drained', trouble: trouble('engine_drained'), inFlight };
      const cooling = working.filter((target) => target.cooling);
      if (cooling.length === working.length)
        return {
          state: 'unhealthy',
          reason: cooling[0]?.lastError ?? 'Its last calls failed',
          trouble: cooling[0]?.lastTrouble ?? null,
          inFlight,
        };
      const results = await Promise.all(addresses.map(checkHealth));
      const [problem = null] = results;
      if (problem === null || results.includes(null))
        return { state: 'healthy', reason: null, trouble: null, inFlight };
      return { state: 'unhealthy', ...problem, inFlight };
    },
  };
}
export type EngineHealth = ReturnType<typeof createEngineHealth>;
