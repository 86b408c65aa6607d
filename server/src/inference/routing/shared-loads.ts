import type { LoadExchange, Loads } from '../../ports/load-exchange.ts';
import type { Target } from './target.ts';
import type { Targets } from './targets.ts';

/** How often processes tell each other, while there is something to tell. */
const INTERVAL_MS = 250;
/** A process that had nothing to do for so long asks no more: what others have is no matter to it. */
const IDLE_TICKS = 8;

/** Calls of this process by address, without those of engines that are in this machine. */
function ownLoads(targets: readonly Target[]): Map<string, number> {
  const own = new Map<string, number>();
  for (const { url, inFlight } of targets)
    if (url !== null && inFlight > 0) own.set(url, (own.get(url) ?? 0) + inFlight);
  return own;
}

/**
 * Keeps the counts of calls that other processes and machines have at each address. All of it happens beside the calls: nobody waits for
 * it, and while the others cannot be asked each process goes by its own counts.
 */
export function shareLoads(targets: Targets, exchange: LoadExchange) {
  let asking = false;
  let closed = false;
  let idleTicks = 0;
  let lastCalls = 0;

  const apply = (others: Loads) => {
    for (const target of targets.all()) target.elsewhere = target.url === null ? 0 : (others.get(target.url) ?? 0);
  };
  const none: Loads = new Map();
  const share = async () => {
    const all = targets.all();
    const own = ownLoads(all);
    const calls = all.reduce((sum, target) => sum + target.calls, 0);
    idleTicks = own.size > 0 || calls !== lastCalls ? 0 : idleTicks + 1;
    lastCalls = calls;
    if (idleTicks > IDLE_TICKS || asking) return;
    asking = true;
    try {
      const others = await exchange.exchange(own);
      if (!closed) apply(idleTicks === IDLE_TICKS ? none : others);
    } catch {
      // Redis is away, which its adapter has said.
      apply(none);
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void share(), INTERVAL_MS).unref();
  return {
    /** Asks the others now, as somebody wants to know. Resolves where they cannot be asked, too. */
    async refresh(): Promise<void> {
      if (!closed) await exchange.exchange(ownLoads(targets.all())).then(apply, () => apply(none));
    },
    close(): void {
      closed = true;
      clearInterval(timer);
    },
  };
}
