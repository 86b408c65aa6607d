import { cell, type Results, type Spread, table } from './report.ts';
import type { Workload } from './workloads.ts';

/** What the service is to reach. Ratios hold on any machine; times and sizes are those of the first one measured. */
interface Target {
  readonly title: string;
  readonly kind: Workload['kind'];
  /** Part of the workload's name. */
  readonly named: string;
  readonly wanted: string;
  value(results: Results, workload: string): Spread | null;
  met(median: number): boolean;
}

const perCore = (other: string) => (results: Results, workload: string) =>
  results.ratio(workload, 'ours', other, 'perCore');
const chunk = (results: Results, workload: string) => results.ratio(workload, 'ours', 'raw', 'cpuMicros');
const least = (limit: number) => ({ wanted: `≥ ${limit}`, met: (median: number) => median >= limit });
const most = (limit: number, unit = '') => ({ wanted: `≤ ${limit}${unit}`, met: (median: number) => median <= limit });

const small = { kind: 'whole', named: '1.3 kB' } as const;
const targets: readonly Target[] = [
  { title: 'requests/s a core, against raw', ...small, value: perCore('raw'), ...least(0.8) },
  { title: 'requests/s a core, against nginx', ...small, value: perCore('nginx'), ...least(0.2) },
  { title: 'requests/s a core, against Portkey', ...small, value: perCore('portkey'), ...least(9) },
  {
    title: 'the same with 43 kB bodies, against raw',
    kind: 'whole',
    named: '43 kB',
    value: perCore('raw'),
    ...least(0.85),
  },
  {
    title: 'CPU of a guarded request with 4 kB of text, against plain',
    kind: 'whole',
    named: ' 4 kB',
    value: (results, workload) => results.ratio(workload, 'guarded', 'ours', 'cpuMicros'),
    ...most(2),
  },
  { title: 'CPU a chunk with a rename, against raw', kind: 'stream', named: 'renamed', value: chunk, ...most(1.15) },
  {
    title: 'CPU a chunk of a response, against a chat',
    kind: 'stream',
    named: '',
    value: (results, workload) => results.ratio(workload, 'responses', 'ours', 'cpuMicros'),
    ...most(1.3),
  },
  {
    title: 'added p50 at 300 requests/s',
    kind: 'latency',
    named: '',
    value: (results, workload) => results.added(workload, 'ours', 'p50Ms'),
    ...most(0.3, ' ms'),
  },
  {
    title: 'added p99 at 300 requests/s',
    kind: 'latency',
    named: '',
    value: (results, workload) => results.added(workload, 'ours', 'p99Ms'),
    ...most(1.5, ' ms'),
  },
  {
    title: 'memory a stream at 5,000 streams',
    kind: 'memory',
    named: '5,000',
    value: (results, workload) => results.values(workload, 'ours', 'kbPerStream'),
    ...most(40, ' kB'),
  },
  {
    title: 'share of 5,000 streams with every token in order',
    kind: 'memory',
    named: '5,000',
    value: (results, workload) => {
      const shares = results
        .find(workload, 'ours')
        .map(({ figures }) => (figures.intact ?? 0) / (figures.streams ?? 1));
      const median = Math.min(...shares);
      return shares.length === 0 ? null : { median, min: median, max: median };
    },
    ...least(1),
  },
];

/** The targets with what was reached, as far as it was measured. */
export function targetTable(workloads: readonly Workload[], results: Results): string {
  const rows = targets.flatMap(({ title, kind, named, wanted, value, met }) => {
    const workload = workloads.find((candidate) => candidate.kind === kind && candidate.name.includes(named));
    const reached = workload === undefined ? null : value(results, workload.name);
    return reached === null ? [] : [[title, wanted, cell(reached), met(reached.median) ? 'met' : 'SHORT']];
  });
  return rows.length === 0 ? '' : table([['target', 'wanted', 'reached', ''], ...rows]);
}
