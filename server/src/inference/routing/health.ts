import type { Logger } from '../../kernel/log.ts';
import type { Target, Targets } from './targets.ts';

const INTERVAL_MS = 2_000;
const TIMEOUT_MS = 1_500;

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

  return {
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
