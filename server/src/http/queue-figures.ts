import { Gauge, type Registry } from 'prom-client';

/** Scrapers come every few seconds, some of them twice at a time: the database is asked once in so long. */
const FRESH_MS = 2_000;

/** How a gauge is described. */
interface GaugeText {
  readonly name: string;
  readonly help: string;
}

type QueueFigures<State extends string> = Readonly<Record<State | 'oldestSeconds', number>>;

/** A queue in the database, which every process tells alike. */
interface Queue<State extends string> {
  readonly read: () => Promise<QueueFigures<State>>;
  /** How many are in each of these states. */
  readonly count: GaugeText & { readonly states: readonly State[] };
  /** How long the one waits that has waited longest. */
  readonly oldest: GaugeText;
}

/** Tells of a queue. A database that is away leaves the other figures as they are. */
export function addQueueFigures<State extends string>(registry: Registry, { read, count, oldest }: Queue<State>): void {
  let readMs = -Infinity;
  let figures: Promise<QueueFigures<State> | null> = Promise.resolve(null);
  const fresh = () => {
    if (performance.now() - readMs > FRESH_MS) {
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
      const known = await fresh();
      this.reset();
      if (known !== null) for (const state of count.states) this.set({ state }, known[state]);
    },
  });
  void new Gauge({
    ...oldest,
    ...common,
    async collect() {
      const known = await fresh();
      if (known === null) this.reset();
      else this.set(known.oldestSeconds);
    },
  });
}
