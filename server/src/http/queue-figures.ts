import { Gauge, type Registry } from 'prom-client';

/** Scrapers come every few seconds, some of them twice at a time: the database is asked once in so long. */
const FRESH_MS = 2_000;

/** A gauge by its name and what it tells. */
interface Told {
  readonly name: string;
  readonly help: string;
}

/** A queue in the database, which every process tells alike. */
interface Queue<State extends string> {
  readonly read: () => Promise<Readonly<Record<State | 'oldestSeconds', number>>>;
  /** How many are in each of these states. */
  readonly count: Told & { readonly states: readonly State[] };
  /** How long the one waits that has waited longest. */
  readonly oldest: Told;
}

/** Tells of a queue. A database that is away leaves the other figures as they are. */
export function addQueueFigures<State extends string>(registry: Registry, { read, count, oldest }: Queue<State>): void {
  let last: { readonly atMs: number; readonly figures: Promise<Awaited<ReturnType<typeof read>> | null> } | null = null;
  const fresh = () => {
    if (last === null || performance.now() - last.atMs > FRESH_MS)
      last = { atMs: performance.now(), figures: read().catch(() => null) };
    return last.figures;
  };
  const common = { registers: [registry], aggregator: 'max' } as const;
  void new Gauge({
    name: count.name,
    help: count.help,
    labelNames: ['state'],
    ...common,
    async collect() {
      const figures = await fresh();
      this.reset();
      if (figures !== null) for (const state of count.states) this.set({ state }, figures[state]);
    },
  });
  void new Gauge({
    ...oldest,
    ...common,
    async collect() {
      const figures = await fresh();
      if (figures === null) this.reset();
      else this.set(figures.oldestSeconds);
    },
  });
}
