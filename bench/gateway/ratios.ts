import { reportFigure } from '../figures.ts';
import type { Results } from './report.ts';
import type { Workload } from './workloads.ts';

type Ratio = Parameters<Results['ratio']>[3];

/** What is compared with which others, by the kind of workload. */
interface Compared {
  readonly metric: Ratio;
  readonly title: string;
  readonly others: readonly string[];
  readonly better: 'higher' | 'lower';
  readonly tolerance: number;
}

const chunk: Compared = {
  metric: 'cpuMicros',
  title: 'CPU a chunk',
  others: ['raw', 'portkey'],
  better: 'lower',
  tolerance: 0.2,
};
const compared: Readonly<Record<Workload['kind'], readonly Compared[]>> = {
  whole: [
    {
      metric: 'perCore',
      title: 'requests a core',
      others: ['raw', 'nginx', 'portkey'],
      better: 'higher',
      tolerance: 0.15,
    },
  ],
  // Times alone: what is added to that of the engine is next to nothing, and a ratio of it to another's says nothing.
  latency: [],
  stream: [chunk],
  memory: [{ metric: 'kbPerStream', title: 'kB a stream', others: ['raw'], better: 'lower', tolerance: 0.15 }, chunk],
};

/** Reports what ours is beside the others that took part. */
export function reportRatios(workloads: readonly Workload[], results: Results): void {
  for (const { name, kind, guarded, responses } of workloads) {
    for (const { metric, title, others, better, tolerance } of compared[kind])
      for (const other of others) {
        const ratio = results.ratio(name, 'ours', other, metric);
        if (ratio === null) continue;
        reportFigure({ name: `gateway: ${name}, ${title} ÷ ${other}`, value: ratio.median, better, tolerance });
      }
    if (guarded) reportGuard(name, results);
    if (responses) reportResponses(name, results);
  }
}

/** Reports what a piece of a response takes beside one of a chat of the same service. */
function reportResponses(workload: string, results: Results): void {
  const ratio = results.ratio(workload, 'responses', 'ours', 'cpuMicros');
  if (ratio === null) return;
  const name = `gateway: ${workload}, CPU a chunk of a response ÷ of a chat`;
  reportFigure({ name, value: ratio.median, better: 'lower', tolerance: 0.15 });
}

/** Reports what guarded calls take beside plain ones of the same service. */
function reportGuard(workload: string, results: Results): void {
  const ratio = results.ratio(workload, 'guarded', 'ours', 'cpuMicros');
  if (ratio === null) return;
  const name = `gateway: ${workload}, CPU a guarded request ÷ plain`;
  reportFigure({ name, value: ratio.median, better: 'lower', tolerance: 0.15 });
}
