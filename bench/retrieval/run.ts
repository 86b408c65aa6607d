/**
 * How well searches find what was meant, in every mode, over collections with known answers; and how fast they are at scale,
 * beside the search engine called directly. See docs/reference/performance.md.
 */
import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { silenceNativeLogs } from '../../server/src/config/index.ts';
import { EXACT, reportFigure } from '../figures.ts';
import { readCollection } from './collection.ts';
import { measureFlow } from './flow.ts';
import { baselines, measureQuality } from './quality.ts';
import { readPublicSet } from './public-sets.ts';
import { measureScale, type Times } from './scale.ts';

const usage = `Usage: node bench/retrieval/run.ts [options]

  --folder path   a collection of your own: docs.jsonl {id,title,text}, queries.jsonl {id,text},
                  qrels.jsonl {query,doc,rel}; may be given several times (the Korean one of the project)
  --set path      a public set as it is published: the file of KorQuAD 1.0 or SQuAD, a list of {id,query,positive},
                  or the folder of Cranfield or CISI; may be given several times, with and without --folder
  --scale         speed and recall with many rows instead: 100,000 of 1,024 numbers, and a million of 384
  --rows n        only so many rows, of --dimension numbers (384)
  --flow          short documents into a service: how many a second, and searches meanwhile
  --lines n       of them by bulk (5000); a tenth as many by uploads
  --json file     write every figure to a file
`;

/** By how much the recall of an index may differ, which is built from a sample. */
const NEAR = 0.01;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    set: { type: 'string', multiple: true, default: [] },
    scale: { type: 'boolean', default: false },
    rows: { type: 'string' },
    flow: { type: 'boolean', default: false },
    lines: { type: 'string', default: '5000' },
    dimension: { type: 'string', default: '384' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}
silenceNativeLogs();
const results: Record<string, unknown> = {};

async function quality(): Promise<void> {
  const ours = flags.set.length > 0 ? [] : ['korean', 'pairs'].map((name) => join(import.meta.dirname, name));
  const sets = [
    ...(flags.folder ?? ours).map((folder) => ({ at: folder, collection: readCollection(resolve(folder)) })),
    ...flags.set.map((file) => ({ at: file, collection: readPublicSet(resolve(file)) })),
  ];
  for (const { at, collection } of sets) {
    const found = await measureQuality(collection);
    results[at] = found;
    say(`\n${at}: ${collection.docs.length} passages, ${collection.queries.length} questions`);
    say(`${'mode'.padEnd(40)} nDCG@10  recall@10  first`);
    for (const { mode, ndcg, recall, first } of found)
      say(`${mode.padEnd(40)}   ${ndcg.toFixed(3)}      ${recall.toFixed(3)}      ${first.toFixed(3)}`);
    for (const { mode, ndcg, recall } of found.filter((one) => !baselines.has(one.mode))) {
      const where = `retrieval: ${basename(at)}, ${mode}`;
      reportFigure({ name: `${where}, nDCG@10`, value: ndcg, better: 'higher', tolerance: EXACT });
      reportFigure({ name: `${where}, recall@10`, value: recall, better: 'higher', tolerance: EXACT });
    }
  }
}

async function scale(): Promise<void> {
  const sizes: readonly (readonly [number, number])[] =
    flags.rows === undefined
      ? [
          [100_000, 1_024],
          [1_000_000, 384],
        ]
      : [[Number(flags.rows), Number(flags.dimension)]];
  for (const [rows, dimension] of sizes) {
    say(`\n${rows} rows of ${dimension} numbers`);
    const found = await measureScale(rows, dimension, (line) => process.stderr.write(`${line}\n`));
    results[`${rows}x${dimension}`] = found;
    say(`ingest ${Math.round(found.ingestRowsPerSecond)} rows/s, structures ${found.maintainSeconds.toFixed(1)} s`);
    say(`recall@10 ${found.recall.toFixed(4)}, under a filter of 1 % ${found.recallUnderFilter.toFixed(4)}`);
    say(`event loop blocked for at most ${found.longestBlockMs.toFixed(0)} ms`);
    table('index, ms', found.times);
    table('whole search, ms', found.wholeTimes);
    const where = `retrieval: ${rows} × ${dimension}`;
    reportFigure({ name: `${where}, recall@10`, value: found.recall, better: 'higher', tolerance: NEAR });
    const underFilter = { value: found.recallUnderFilter, better: 'higher', tolerance: NEAR } as const;
    reportFigure({ name: `${where}, recall@10 under a filter of 1 %`, ...underFilter });
    reportRatios(`${where}, index`, found.times);
    reportRatios(`${where}, whole search`, found.wholeTimes);
  }
}

/** Middle times beside the engine called directly: the longest ones differ too much from run to run. */
function reportRatios(where: string, times: readonly Times[]): void {
  for (const { name, p50, rawP50 } of times)
    reportFigure({ name: `${where}, ${name}, p50 ÷ engine`, value: p50 / rawP50, better: 'lower', tolerance: 0.3 });
}

function table(title: string, times: readonly Times[]): void {
  say(`${title.padEnd(24)} p50     p99     engine p50  p99  overhead p50`);
  for (const { name, p50, p99, rawP50, rawP99 } of times) {
    const cells = [p50, p99, rawP50, rawP99, p50 - rawP50].map((time) => time.toFixed(2).padEnd(7));
    say(`${name.padEnd(24)} ${cells.join(' ')}`);
  }
}

/** Speeds are of this machine; what searches feel is a ratio of one run. */
async function flow(): Promise<void> {
  const lines = Number(flags.lines);
  const found = await measureFlow(Math.ceil(lines / 10), lines);
  results['flow'] = found;
  say(
    `uploads: ${found.uploadsPerSecond.toFixed(1)} documents/s, ${found.uploadCpuMs.toFixed(1)} ms of processor each`,
  );
  say(`bulk: ${found.bulkPerSecond.toFixed(1)} documents/s, ${found.bulkCpuMs.toFixed(1)} ms of processor each`);
  const { quiet, busy } = found;
  say(`searches, ms: quiet p50 ${quiet.p50.toFixed(1)} p99 ${quiet.p99.toFixed(1)}`);
  say(
    `with 30 documents/s: p50 ${busy.p50.toFixed(1)} p99 ${busy.p99.toFixed(1)}, ${(busy.p99 / quiet.p99).toFixed(2)} ×`,
  );
  for (const { quiet: before, busy: meanwhile } of found.windows)
    say(`  window: p99 ${before.p99.toFixed(1)}, meanwhile ${meanwhile.p99.toFixed(1)}`);
  const speedup = found.bulkPerSecond / found.uploadsPerSecond;
  reportFigure({ name: 'retrieval: flow, bulk ÷ uploads', value: speedup, better: 'higher', tolerance: 0.4 });
}

if (flags.flow) await flow();
else if (flags.scale || flags.rows !== undefined) await scale();
else await quality();
if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify(results, null, 1));
