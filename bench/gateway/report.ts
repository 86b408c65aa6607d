import type { ContenderName } from './contenders/contender.ts';
import type { JobResult } from './load.ts';
import type { Workload } from './workloads.ts';

/**
 * What one run of one workload on one contender found. `direct` is the engine without a gateway, `guarded` this service with its guard,
 * `responses` this service asked in the form of the Responses interface.
 */
export interface Sample {
  readonly workload: string;
  readonly kind: Workload['kind'];
  readonly contender: ContenderName | 'direct' | 'guarded' | 'responses';
  readonly repetition: number;
  readonly figures: Figures;
}

/** Figures of a sample; those that a workload does not give are left out. */
export interface Figures {
  readonly cpuMicros?: number;
  readonly perCore?: number;
  readonly perSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly kbPerStream?: number;
  readonly intact?: number;
  readonly streams?: number;
  /** Share of a core that the contender and the generator used. */
  readonly busy: number;
  readonly generatorBusy: number;
  readonly failed: number;
  readonly failure: string | null;
}

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;

/** Turns what the generator counted into figures. */
export function figuresOf({ job }: Workload, result: JobResult): Figures {
  const micros = result.windowMs * 1000;
  const common = {
    busy: result.cpuMicros / micros,
    generatorBusy: result.ownCpuMicros / micros,
    failed: result.failed,
    failure: result.failure,
  };
  const cpuMicros = result.cpuMicros / Math.max(1, result.done);
  if (job.kind === 'rate') {
    const { latencies } = result;
    return { ...common, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99), cpuMicros };
  }
  const perSecond = (result.done * 1000) / result.windowMs;
  if (job.kind === 'closed') return { ...common, cpuMicros, perCore: 1e6 / cpuMicros, perSecond };
  if (job.kind === 'once') return common;
  const kbPerStream = (result.rssOpenKb - result.rssBeforeKb) / job.count;
  return { ...common, cpuMicros, perSecond, kbPerStream, intact: result.intact, streams: job.count };
}

/** Middle value with the smallest and the largest. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread | null {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

type Metric = 'cpuMicros' | 'perCore' | 'perSecond' | 'p50Ms' | 'p99Ms' | 'kbPerStream' | 'busy';

/** The samples of a run, ready to be asked. */
export function createResults(samples: readonly Sample[]) {
  const find = (workload: string, contender: string) =>
    samples.filter((sample) => sample.workload === workload && sample.contender === contender);
  /** Values of `combine` over repetitions in which both took part, taken pair by pair so that drift of the machine cancels. */
  const paired = (
    workload: string,
    a: string,
    b: string,
    metric: Metric,
    combine: (x: number, y: number) => number,
  ) => {
    const others = find(workload, b);
    return spread(
      find(workload, a).flatMap(({ repetition, figures }) => {
        const other = others.find((sample) => sample.repetition === repetition)?.figures[metric];
        const own = figures[metric];
        return own === undefined || other === undefined ? [] : [combine(own, other)];
      }),
    );
  };
  return {
    find,
    values: (workload: string, contender: string, metric: Metric) =>
      spread(find(workload, contender).flatMap(({ figures }) => figures[metric] ?? [])),
    ratio: (workload: string, a: string, b: string, metric: Metric) => paired(workload, a, b, metric, (x, y) => x / y),
    added: (workload: string, a: string, metric: Metric) => paired(workload, a, 'direct', metric, (x, y) => x - y),
  };
}
export type Results = ReturnType<typeof createResults>;

const number = (value: number) => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};
const cell = (value: Spread | null, unit = '') => {
  if (value === null) return '–';
  const range = value.min === value.max ? '' : ` (${number(value.min)}–${number(value.max)})`;
  return `${number(value.median)}${unit}${range}`;
};

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}

type Column = readonly [title: string, value: (contender: string) => string];

function columns({ kind, name, guarded, responses }: Workload, results: Results): Column[] {
  const value = (metric: Metric) => (contender: string) => cell(results.values(name, contender, metric));
  const against = (other: string, metric: Metric): Column => [
    `÷ ${other}`,
    (contender) => (contender === other ? '1' : cell(results.ratio(name, contender, other, metric))),
  ];
  if (kind === 'latency') {
    return [
      ['p50 ms', value('p50Ms')],
      ['p99 ms', value('p99Ms')],
      ['added p50 ms', (contender) => cell(results.added(name, contender, 'p50Ms'))],
      ['added p99 ms', (contender) => cell(results.added(name, contender, 'p99Ms'))],
    ];
  }
  if (kind === 'whole') {
    return [
      ['CPU µs a request', value('cpuMicros')],
      ['requests/s a core', value('perCore')],
      against('raw', 'perCore'),
      against('nginx', 'perCore'),
      against('portkey', 'perCore'),
      ...(guarded ? [against('ours', 'cpuMicros')] : []),
      ['reached/s', value('perSecond')],
    ];
  }
  const intact: Column = [
    'streams intact',
    (contender) => {
      const found = results.find(name, contender);
      return `${Math.min(...found.map(({ figures }) => figures.intact ?? 0))} of ${found[0]?.figures.streams ?? 0}`;
    },
  ];
  const chunk: Column[] = [
    ['CPU µs a chunk', value('cpuMicros')],
    against('raw', 'cpuMicros'),
    against('portkey', 'cpuMicros'),
    ...(responses ? [against('ours', 'cpuMicros')] : []),
  ];
  return kind === 'stream' ? [...chunk, intact] : [['kB a stream', value('kbPerStream')], ...chunk, intact];
}

/** A table of one workload. */
export function workloadTable(workload: Workload, results: Results, contenders: readonly string[]): string {
  const shown = columns(workload, results);
  const rows = contenders
    .filter((contender) => results.find(workload.name, contender).length > 0)
    .map((contender) => [contender, ...shown.map(([, value]) => value(contender))]);
  return `### ${workload.name}\n\n${table([['', ...shown.map(([title]) => title)], ...rows])}\n`;
}

/** What went wrong or makes a figure doubtful, a line each. */
export function remarks(samples: readonly Sample[]): string[] {
  return samples.flatMap(({ workload, contender, repetition, figures }) => {
    const where = `${contender}, ${workload}, run ${repetition + 1}`;
    const lines: string[] = [];
    if (figures.failed > 0) lines.push(`${where}: ${figures.failed} failed (${figures.failure})`);
    if (figures.p50Ms === undefined && figures.generatorBusy > 0.9 && figures.busy < 0.9) {
      lines.push(`${where}: the generator was busy before the contender was; read the CPU time, not what was reached`);
    }
    return lines;
  });
}

export { table, cell };
