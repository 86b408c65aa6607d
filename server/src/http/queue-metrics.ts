import { Gauge, type Registry } from 'prom-client';

/** Cache lifetime: scrapers come every few seconds, some in pairs, and share one query. */
const CACHE_MS = 2_000;

/** How a gauge is described. */
interface GaugeText {
  readonly name: string;
  readonly help: string;
}

type QueueStats<State extends string> = Readonly<Record<State | 'oldestSeconds', number>>;

/** A queue in the database, of which every process reports the same state. */
interface Queue<State extends string> {
  readonly read: () => Promise<QueueStats<State>>;
  /** How many are in each of these states. */
  readonly count: GaugeText & { readonly states: readonly State[] };
  /** Age of the oldest waiting entry. */
  readonly oldest: GaugeText;
}

/** Registers the gauges of a queue. They are absent while the database is unreachable; other metrics are not affected. */
export function addQueueMetrics<State extends string>(registry: Registry, { read, count, oldest }: Queue<State>): void {
  let readMs = -Infinity;
  let figures: Promise<QueueStats<State> | null> = Promise.resolve(null);
  const readCached = () => {
    if (performance.now() - readMs > CACHE_MS) {
      readMs = performance.now();
      figures = read().catch(() => null);
    }
    return figures;
  };
  const common = { registers: [registry], aggregator: 'max' as const };
  void new Gauge({
    name: count.name,
    help: count.help,
    labelNames: ['state'],
    ...common,
    async collect() {
      const known = await readCached();
      this.reset();
      if (known !== null) for (const state of count.states) this.set({ state }, known[state]);
    },
  });
  void new Gauge({
    ...oldest,
    ...common,
    async collect() {
      const known = await readCached();
      if (known === null) this.reset();
      else this.set(known.oldestSeconds);
    },
  });
}
