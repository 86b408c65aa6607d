/**
 * How well and how fast personal values are found: precision and recall by type on generated sentences or on labelled files,
 * false findings in ordinary sentences, megabytes a second, and inputs that are made to be slow. See docs/reference/privacy.md.
 *
 *   node bench/privacy/run.ts [--seed 1] [--of-each 500] [--labelled FILE…] [--show]
 *
 * A line of a labelled file is {"text", "entities": [{"type", "start", "end"}]}, in UTF-16 units.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { findPii, maskText } from '../../server/src/privacy/index.ts';
import { reportFigure } from '../figures.ts';
import { everyday } from './everyday.ts';
import { forms } from './forms.ts';
import { hostileTexts } from './hostile.ts';
import { ordinarySentences } from './ordinary.ts';
import { precision, recall, scoreTexts, totalOf } from './score.ts';
import { type Labelled, labelledSentences } from './sentences.ts';
import { documents } from './unseen/documents.ts';
import { documentsOrdinary } from './unseen/documents-ordinary.ts';
import { lines } from './unseen/lines.ts';
import { unseenSentences } from './unseen/labelled.ts';
import { unseenOrdinary } from './unseen/ordinary.ts';

const { values: flags, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '20260101' },
    'of-each': { type: 'string', default: '500' },
    labelled: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const seed = Number(flags.seed);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const readLabelled = (file: string): Labelled[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Labelled);

/** Texts and values are the same for the same seed, so that nothing is left to chance. */
const TOLERANCE = 0.002;
/** Of sentences without a false finding: two of 5,000. */
const ORDINARY_TOLERANCE = 0.0004;
const reportShare = (name: string, value: number, tolerance = TOLERANCE) =>
  reportFigure({ name: `privacy: ${name}`, value, better: 'higher', tolerance });

/** Prints how well values are found in some texts. */
function report(name: string, texts: readonly Labelled[]): void {
  const { scores, misses } = scoreTexts(texts);
  say(`${name}: ${texts.length} texts\ntype               values  recall  precision`);
  for (const score of scores) {
    if (score.values === 0 && score.wrong === 0) continue;
    const values = String(score.values).padStart(6);
    say(`${score.type.padEnd(18)} ${values}  ${recall(score).toFixed(4)}  ${precision(score).toFixed(4)}`);
  }
  if (flags.show) for (const miss of misses) say(JSON.stringify(miss));
  const all = totalOf(scores);
  reportShare(`${name}, recall`, recall(all));
  reportShare(`${name}, precision`, precision(all));
  // A loss of one type of many hardly moves the total.
  reportShare(`${name}, least recall of a type`, Math.min(...scores.map(recall)));
  reportShare(`${name}, least precision of a type`, Math.min(...scores.map(precision)));
}

const ofEach = Number(flags['of-each']);
if (flags.labelled) for (const file of positionals) report(file, readLabelled(file));
else {
  report('sentences', labelledSentences(seed, ofEach));
  report('forms, tables, messages', forms(seed, ofEach * 4));
  report('everyday writing', everyday(seed, Math.ceil(ofEach / 10)));
  report('unseen', unseenSentences(seed, Math.ceil(ofEach / 10)));
  report('documents and talks', documents(seed, Math.ceil(ofEach / 60)));
  report('lines', lines(seed, Math.ceil(ofEach / 40)));
}

const ordinary = ordinarySentences(seed, 5_000);
for (const [name, texts] of [
  ['ordinary', ordinary],
  ['unseen ordinary', unseenOrdinary(seed, 5_000)],
  ['ordinary of documents and talks', documentsOrdinary(seed, 5_000)],
] as const) {
  const wrong = texts.flatMap((text, at) =>
    findPii(text, { types: piiTypes }).map((finding) => ({ at, text, finding })),
  );
  say(`false findings in ${texts.length} ${name} sentences, all types: ${wrong.length}`);
  const clean = texts.length - new Set(wrong.map(({ at }) => at)).size;
  reportShare(`${name}, share of sentences without a false finding`, clean / texts.length, ORDINARY_TOLERANCE);
  if (flags.show)
    for (const { text, finding } of wrong)
      say(`${finding.type} ${finding.score} ${text.slice(finding.start, finding.end)} | ${text}`);
}

/** Median processor time of some runs in milliseconds, which other load of the machine hardly changes. */
function medianCpuMs(work: () => void, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e3;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

const prose = [...ordinary, ...labelledSentences(seed, 50).map(({ text }) => text)].join('\n').repeat(4);
const bytes = Buffer.byteLength(prose);
for (const [name, policy] of [
  ['default types', {}],
  ['all types', { types: piiTypes }],
] as const) {
  const speed = (ms: number) => (bytes / 1e3 / ms).toFixed(1);
  say(
    `${name}: finding ${speed(medianCpuMs(() => findPii(prose, policy)))} MB, masking ${speed(medianCpuMs(() => maskText(prose, policy)))} MB a second of processor time`,
  );
}

let slowest = { name: '', ms: 0 };
for (const [name, text] of hostileTexts(1_000_000)) {
  const ms = medianCpuMs(() => maskText(text, { types: piiTypes }), 3);
  if (flags.show) say(`${name}: ${ms.toFixed(0)} ms`);
  if (ms > slowest.ms) slowest = { name, ms };
}
say(`slowest of the hostile texts of 1 MB: ${slowest.name}, ${slowest.ms.toFixed(0)} ms of processor time`);
