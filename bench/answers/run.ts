/**
 * How many questions the built-in engine answers from uploaded documents, with the right citation:
 *
 *   node bench/answers/run.ts [--set NAME] [--show]
 *
 * The figures are in docs/reference/built-in-engine.md. `--show` prints what went wrong.
 */
import { parseArgs } from 'node:util';
import { EXACT, reportFigure } from '../figures.ts';
import { startAnswerService } from './service.ts';
import { measure } from './measure.ts';
import { sets } from './sets.ts';

const { values: flags } = parseArgs({
  options: { set: { type: 'string' }, show: { type: 'boolean', default: false } },
});

for (const { set, distractors } of sets) {
  if (flags.set !== undefined && flags.set !== set.name) continue;
  const service = await startAnswerService([...set.documents, ...distractors]);
  try {
    const { name, questions, right, retrieved, unanswerable, declined, wrong } = await measure(service, set);
    process.stdout.write(
      `${name}: ${right} of ${questions} right (the document was found for ${retrieved}); ${declined} of ${unanswerable} without an answer told so\n`,
    );
    if (flags.show) for (const line of wrong) process.stdout.write(`- ${line}\n`);
    for (const [what, value] of [
      ['questions answered right', right / questions],
      ['questions whose document was found', retrieved / questions],
      ['questions without an answer that were told so', declined / unanswerable],
    ] as const)
      reportFigure({ name: `answers: ${name}, share of ${what}`, value, better: 'higher', tolerance: EXACT });
  } finally {
    await service.close();
  }
}
