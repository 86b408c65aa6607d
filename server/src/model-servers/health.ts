import type { EngineAddress, TargetState } from '../inference/index.ts';
import type { EngineTrouble } from '../ports/engine.ts';
import { trouble } from '../ports/engine-trouble.ts';

/** How an engine fares, for people. */
export interface EngineState {
  readonly state: 'healthy' | 'unhealthy' | 'unknown';
  /** Why it does not. */
  readonly reason: string | null;
  /** The same by its name, where it has one. */
  readonly trouble: EngineTrouble | null;
  /** Calls under way in this process. */
  readonly inFlight: number;
}

/** People look again and again; the server is asked no more often than this. */
const FRESH_MS = 5_000;
const TIMEOUT_MS = 1_500;

type Unwell = Pick<EngineState, 'reason' | 'trouble'>;

interface Asked {
  readonly atMs: number;
  readonly answer: Promise<Unwell | null>;
}

export interface EngineHealthDeps {
  /** States of all targets of this process. */
  readonly states: () => readonly TargetState[];
  /** Addresses of an engine; none where it is not known. */
  readonly addressesOf: (name: string) => readonly EngineAddress[];
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

const LATE: Unwell = { reason: 'It did not answer in time', trouble: trouble('engine_slow') };

const isOf = (name: string, target: TargetState) => target.engine === name || target.engine.startsWith(`${name}/`);

/** Says how engines fare: by the calls that were made, and by asking each. */
export function createEngineHealth({ states, addressesOf, now = () => performance.now() }: EngineHealthDeps) {
  const asked = new WeakMap<EngineAddress['engine'], Asked>();

  /** Null where it is well, else why not. */
  const ask = async ({ engine }: EngineAddress): Promise<Unwell | null> => {
    const at = now();
    const before = asked.get(engine);
    if (before && at - before.atMs < FRESH_MS) return before.answer;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const late = new Promise<Unwell>((resolve) =>
      timeout.addEventListener('abort', () => resolve(LATE), { once: true }),
    );
    const said = engine.health(timeout).then(
      ({ ok, reason, trouble: why = null }) => (ok ? null : { reason: reason ?? 'It is not well', trouble: why }),
      () => late,
    );
    // What an engine finds out first of its server may take longer than its own check.
    const answer = Promise.race([said, late]);
    asked.set(engine, { atMs: at, answer });
    return answer;
  };

  return {
    /** State of an engine: well as long as one of its addresses is. */
    async of(name: string): Promise<EngineState> {
      const addresses = addressesOf(name);
      const targets = states().filter((target) => isOf(name, target));
      const inFlight = targets.reduce((sum, target) => sum + target.inFlight, 0);
      if (addresses.length === 0 || targets.length === 0)
        return {
          state: 'unhealthy',
          reason: 'There is no such engine now',
          trouble: trouble('engine_missing'),
          inFlight,
        };
      const cooling = targets.filter((target) => target.cooling);
      if (cooling.length === targets.length)
        return {
          state: 'unhealthy',
          reason: cooling[0]?.lastError ?? 'Its last calls failed',
          trouble: cooling[0]?.lastTrouble ?? null,
          inFlight,
        };
      const answers = await Promise.all(addresses.map(ask));
      const [unwell = null] = answers;
      if (unwell === null || answers.includes(null)) return { state: 'healthy', reason: null, trouble: null, inFlight };
      return { state: 'unhealthy', ...unwell, inFlight };
    },
  };
}
export type EngineHealth = ReturnType<typeof createEngineHealth>;
