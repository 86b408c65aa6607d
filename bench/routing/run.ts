import { EXACT, reportFigure } from '../figures.ts';
import { policies } from './policies.ts';
import { simulate, type SimulationResult, workload } from './simulation.ts';

// Where conversations go: how much of their prompts is in the cache of the engine that they come to, and how long they wait. The engines are
// fakes in simulated time, the choice is the service's own code. Takes a second.

const SEEDS = [1, 2, 3, 4, 5] as const;

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** The mean of several runs of one policy. */
function measure(policy: (typeof policies)[number], burst: number): SimulationResult & { readonly name: string } {
  const runs = SEEDS.map((seed) => simulate(policy(), { seed, burst }));
  const of = (take: (result: SimulationResult) => number) => mean(runs.map(take));
  return {
    name: policy().name,
    hitRate: of(({ hitRate }) => hitRate),
    first: { p50: of(({ first }) => first.p50), p99: of(({ first }) => first.p99) },
    whole: { p99: of(({ whole }) => whole.p99) },
    busiest: of(({ busiest }) => busiest),
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const ms = (time: number) => `${Math.round(time)} ms`;

const { engines, sessions, turns } = workload;
for (const [title, burst] of [
  ['all alike', 0],
  ['and 300 calls at once of one session', 300],
] as const) {
  console.log(`\n${sessions} sessions of ${turns} turns on ${engines} fake engines, ${title}\n`);
  console.log('| Choice | in the cache | first token p50 | p99 | whole answer p99 | busiest ÷ mean |');
  console.log('|---|---|---|---|---|---|');
  const results = policies.map((policy) => measure(policy, burst));
  for (const { name, hitRate, first, whole, busiest } of results)
    console.log(
      `| ${name} | ${percent(hitRate)} | ${ms(first.p50)} | ${ms(first.p99)} | ${ms(whole.p99)} | ${busiest.toFixed(2)} |`,
    );
  const own = results.at(-1);
  if (!own) continue;
  if (burst > 0) {
    const hashed = results.find(({ name }) => name.endsWith('consistent_hash'));
    reportFigure({
      name: 'routing: whole answer p99 in a burst ÷ vLLM Router, consistent_hash',
      value: own.whole.p99 / (hashed?.whole.p99 ?? NaN),
      better: 'lower',
      tolerance: 0.1,
    });
    continue;
  }
  const byPrompt = results.at(-2);
  const tolerance = 4 * EXACT;
  reportFigure({ name: 'routing: tokens in the cache, by session', value: own.hitRate, better: 'higher', tolerance });
  reportFigure({
    name: 'routing: tokens in the cache, by prompt',
    value: byPrompt?.hitRate ?? NaN,
    better: 'higher',
    tolerance,
  });
  reportFigure({
    name: 'routing: first token p99 ÷ round robin',
    value: own.first.p99 / (results[0]?.first.p99 ?? NaN),
    better: 'lower',
    tolerance: 0.1,
  });
}
