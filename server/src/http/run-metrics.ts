import { Counter, type Registry } from 'prom-client';
import type { RunFigures } from '../agents/index.ts';
import { addQueueMetrics } from './queue-metrics.ts';

/** The figures of runs of agents: those under way, which every process tells alike, and those that this process let go. */
export function addRunMetrics(registry: Registry, { open, left }: RunFigures): void {
  addQueueMetrics(registry, {
    read: open,
    count: {
      name: 'studio_agent_runs',
      help: 'Runs of agents under way, by state: waiting (no process has taken them up), running',
      states: ['waiting', 'running'],
    },
    oldest: {
      name: 'studio_agent_runs_oldest_seconds',
      help: 'Time that the run which has waited longest waits; 0 where none waits',
    },
  });
  void new Counter({
    name: 'studio_agent_runs_total',
    help: 'Runs of agents that ended, or that wait for a person (input-required), by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [state, count] of Object.entries(left())) this.inc({ state }, count);
    },
  });
}
