import type { Logger } from '../../kernel/log.ts';
import type { Target, Targets } from './targets.ts';

const INTERVAL_MS = 2_000;
const TIMEOUT_MS = 1_500;

/** Asks targets that are cooling whether they are well again, so that they come back before a call has to try them. */
export function createHealthCheck({ targets, log, now }: { targets: Targets; log: Logger; now: () => number }) {
  const sick = new Set<Target>();
  let timer: NodeJS.Timeout | null = null;
  const closing = new AbortController();

  const ask = async (target: Target) => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const { ok } = await target.engine.health(signal).catch(() => ({ ok: false }));
    if (!ok || !sick.has(target)) return;
    sick.delete(target);
    log.info({ engine: target.engine.id }, 'engine is well again');
    targets.recovered(target);
  };
  const round = () => {
    for (const target of sick) {
      if (target.coolingUntilMs <= now()) sick.delete(target);
      else void ask(target);
    }
    if (sick.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };

  return {
    check(target: Target): void {
      if (target.coolingUntilMs <= now() || closing.signal.aborted) return;
      sick.add(target);
      timer ??= setInterval(round, INTERVAL_MS).unref();
    },
    close(): void {
      closing.abort();
      sick.clear();
      if (timer) clearInterval(timer);
      timer = null;
    },
  };
}
export type HealthCheck = ReturnType<typeof createHealthCheck>;
