import type { Logger } from '../../kernel/log.ts';
import { raceAbort } from '../../kernel/race-abort.ts';
import { EngineError, type EngineTrouble } from '../../ports/engine.ts';
import type { Target } from './target.ts';
import type { Targets } from './targets.ts';

const INTERVAL_MS = 2_000;
const TIMEOUT_MS = 1_500;

/** The time for each of the tries by which a silent engine is found to be gone: one with much to do may be slow to answer. */
const ALIVE_TIMEOUT_MS = 5_000;
const ALIVE_TRIES = 2;
/** Failures of a health check that the server itself answered. */
const answered: ReadonlySet<string | undefined> = new Set<EngineTrouble['code']>([
  'engine_key',
  'engine_busy',
  'engine_model_unknown',
  'engine_redirects',
]);

/** The failure of a call whose engine said nothing for so long and does not answer a health check either. */
export const engineGone = (ms: number): EngineError =>
  new EngineError(
    'timeout',
    `The time limit of ${ms} ms for the first token (first_token_ms) ran out, and the model server does not answer its health check`,
    { limit: 'first_token' },
  );

/** Probes targets that are cooling down, so that they come back before a call has to try them. */
export function createHealthCheck({ targets, log, now }: { targets: Targets; log: Logger; now: () => number }) {
  const unhealthy = new Set<Target>();
  let timer: NodeJS.Timeout | null = null;
  const closing = new AbortController();

  const probe = async (target: Target) => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const { ok } = await target.engine.health(signal).catch(() => ({ ok: false }));
    if (!ok || !unhealthy.has(target)) return;
    unhealthy.delete(target);
    log.info({ engine: target.engine.id }, 'engine is healthy again');
    targets.recovered(target);
  };
  const probeAll = () => {
    for (const target of unhealthy) {
      if (target.coolingUntilMs <= now()) unhealthy.delete(target);
      else void probe(target);
    }
    if (unhealthy.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };

  const answers = async (target: Target): Promise<boolean> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ALIVE_TIMEOUT_MS).unref();
    const signal = AbortSignal.any([closing.signal, late.signal]);
    try {
      const { ok, trouble } = await raceAbort(signal, () => target.engine.health(signal));
      return ok || answered.has(trouble?.code);
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  };
  const findAlive = async (target: Target): Promise<boolean> => {
    for (let tries = 0; tries < ALIVE_TRIES; tries++) if (await answers(target)) return true;
    return closing.signal.aborted;
  };
  /** Questions under way: one answers all calls that wait for the same engine. */
  const asking = new Map<Target, Promise<boolean>>();

  return {
    /** Whether the server of a target answers at all, whatever it says. */
    isAlive(target: Target): Promise<boolean> {
      let alive = asking.get(target);
      if (!alive) asking.set(target, (alive = findAlive(target).finally(() => asking.delete(target))));
      return alive;
    },
    check(target: Target): void {
      if (target.coolingUntilMs <= now() || closing.signal.aborted) return;
      unhealthy.add(target);
      timer ??= setInterval(probeAll, INTERVAL_MS).unref();
    },
    close(): void {
      closing.abort();
      unhealthy.clear();
      if (timer) clearInterval(timer);
      timer = null;
    },
  };
}
export type HealthCheck = ReturnType<typeof createHealthCheck>;
