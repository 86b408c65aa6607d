/**
 * How well searches find what was meant, in every mode, over collections with known answers; and how fast they are at scale,
 * beside the search engine called directly. See docs/reference/performance.md.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { quietNativeLogs } from '../../server/src/config/index.ts';
import { readCollection } from './collection.ts';
import { measureQuality } from './quality.ts';

const usage = `Usage: node bench/retrieval/run.ts [options]

  --folder path   a collection of your own: docs.jsonl {id,title,text}, queries.jsonl {id,text},
                  qrels.jsonl {query,doc,rel}; may be given several times (the Korean one of the project)
  --json file     write every figure to a file
`;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [join(import.meta.dirname, 'korean')] },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}
quietNativeLogs();
const results: Record<string, unknown> = {};
for (const folder of flags.folder) {
  const collection = readCollection(resolve(folder));
  const found = await measureQuality(collection);
  results[folder] = found;
  say(`\n${folder}: ${collection.docs.length} passages, ${collection.queries.length} questions`);
  say(`${'mode'.padEnd(32)} nDCG@10  recall@10`);
  for (const { mode, ndcg, recall } of found)
    say(`${mode.padEnd(32)}   ${ndcg.toFixed(3)}      ${recall.toFixed(3)}`);
}
if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify(results, null, 1));
