import { Counter, Gauge, type Registry } from 'prom-client';
import type { RunFigures } from '../agents/index.ts';

/** Scrapers come every few seconds, some of them twice at a time: the database is asked once in so long. */
const FRESH_MS = 2_000;

type Open = Awaited<ReturnType<RunFigures['open']>>;

/** The figures of runs of agents: those under way, which every process tells alike, and those that this process let go. */
export function addRunFigures(registry: Registry, { open, left }: RunFigures): void {
  let last: { readonly atMs: number; readonly figures: Promise<Open | null> } | null = null;
  const fresh = (): Promise<Open | null> => {
    if (last === null || performance.now() - last.atMs > FRESH_MS)
      // A database that is away leaves the other figures as they are.
      last = { atMs: performance.now(), figures: open().catch(() => null) };
    return last.figures;
  };
  const registers = [registry];
  const aggregator = 'max';
  void new Gauge({
    name: 'studio_agent_runs',
    help: 'Runs of agents under way, by state: waiting (no process has taken them up), running',
    labelNames: ['state'],
    registers,
    aggregator,
    async collect() {
      const figures = await fresh();
      this.reset();
      if (figures === null) return;
      for (const state of ['waiting', 'running'] as const) this.set({ state }, figures[state]);
    },
  });
  void new Gauge({
    name: 'studio_agent_runs_oldest_seconds',
    help: 'Time that the run which has waited longest waits; 0 where none waits',
    registers,
    aggregator,
    async collect() {
      const figures = await fresh();
      if (figures === null) this.reset();
      else this.set(figures.oldestSeconds);
    },
  });
  void new Counter({
    name: 'studio_agent_runs_total',
    help: 'Runs of agents that ended, or that wait for a person (input-required), by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const [state, count] of Object.entries(left())) this.inc({ state }, count);
    },
  });
}
