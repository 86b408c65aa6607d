/**
 * Runs the benches and sets their ratios and figures of quality beside those that were committed last, so that a loss is seen
 * in review: npm run bench -- --help. See docs/reference/performance.md.
 */
import type { Figure } from '../figures.ts';
import { createPrograms } from '../gateway/children.ts';
import { type Bench, benches } from './benches.ts';
import { betterFigures, type Comparison, compareFigures, mergeFigures } from './compare.ts';
import { readOptions } from './options.ts';
import { type Outcome, runBench } from './run-bench.ts';
import { readOrigin, readSavedFigures, writeSavedFigures } from './saved.ts';
import { tableOf } from './table.ts';

const options = readOptions(process.argv.slice(2));
const programs = createPrograms();
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Ends what runs on a signal, and when the process that started this one is gone. */
function installCleanUp(): void {
  const abort = () => void programs.stopAll().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, abort);
  process.once('disconnect', abort);
  // A listener on the channel would keep the process alive.
  process.channel?.unref();
}

async function measure(bench: Bench): Promise<Outcome> {
  const { name } = bench;
  const obstacle = bench.obstacle?.() ?? null;
  if (obstacle !== null) {
    say(`– ${name}: left out, ${obstacle}`);
    return { name, figures: [], failure: null };
  }
  say(`▸ ${name} …`);
  const began = performance.now();
  const outcome = await runBench(bench, programs);
  const seconds = Math.round((performance.now() - began) / 1000);
  say(
    outcome.failure === null
      ? `✔ ${name}: ${outcome.figures.length} figures (${seconds} s)`
      : `✘ ${name}: failed (${seconds} s)`,
  );
  return outcome;
}

const chosen = benches.filter(({ name }) => options.only?.includes(name) ?? true);
const isChosen = (figure: Figure) => chosen.some(({ name }) => figure.name.startsWith(`${name}: `));
const isWorse = ({ verdict }: Comparison) => verdict === 'worse';

/** Measures once more where there is a loss: other work on the machine makes one run slow, a change of the code both. */
async function measureWithCare(bench: Bench, committed: readonly Figure[]): Promise<Outcome> {
  const first = await measure(bench);
  const hasLoss = compareFigures(committed, first.figures).some(isWorse);
  if (first.failure !== null || !hasLoss) return first;
  say(`  ${bench.name} has a loss; once more`);
  const second = await measure(bench);
  return { ...second, figures: betterFigures(first.figures, second.figures) };
}

async function main(): Promise<void> {
  const committed = readSavedFigures().filter(isChosen);
  const origin = readOrigin();
  const outcomes: Outcome[] = [];
  for (const bench of chosen) outcomes.push(await (options.check ? measureWithCare(bench, committed) : measure(bench)));
  const figures = outcomes.flatMap((outcome) => outcome.figures);
  const comparisons = compareFigures(committed, figures);
  const others = new Set(committed.map(({ machine }) => machine).filter((machine) => machine !== origin.machine));

  say(`\n${tableOf(comparisons)}`);
  if (others.size > 0) say(`\nCommitted figures are of ${[...others].join('; ')}. This is ${origin.machine}.`);
  const failed = outcomes.filter(({ failure }) => failure !== null);
  for (const { name, failure } of failed) say(`\nfailed: ${name}\n    ${failure}`);
  const losses = comparisons.filter(isWorse).length;
  const measured = comparisons.filter(({ now }) => now !== null).length;
  say(`\n${measured} of ${comparisons.length} figures measured, ${losses} worse, ${failed.length} benches failed`);
  if (options.save) writeSavedFigures(mergeFigures(readSavedFigures(), figures, origin));
  process.exitCode = failed.length > 0 || (options.check && losses > 0) ? 1 : 0;
}

installCleanUp();
try {
  await main();
} finally {
  await programs.stopAll();
}
