/**
 * What it costs that rarity of words is counted over all shards of an index (`dfs_query_then_fetch`), and what it is worth: the same questions on
 * the same rows with and without it, in turns, with one shard and several.
 *   node bench/retrieval/statistics.ts [--rows 100000] [--rounds 200] [--json FILE]
 */
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createOpenSearchIndex } from '../../server/src/adapters/distributed/opensearch-index/index.ts';
import { plainLayout } from '../../server/src/adapters/distributed/opensearch-index/layout.ts';
import type { KeywordQuery, SoughtWords } from '../../server/src/ports/search-index.ts';
import { wordsQuery } from '../../server/src/adapters/distributed/opensearch-index/search.ts';
import { analyze, analyzeQuery } from '../../server/src/retrieval/analyzer/index.ts';
import { expandQuery } from '../../server/src/retrieval/synonyms/expand.ts';
import { weighSayings } from '../../server/src/retrieval/synonyms/weigh.ts';
import { readCollection } from './collection.ts';
import { createMeters } from './meter.ts';
import { ndcg } from './metrics.ts';
import { openServer, optionsOf } from './opensearch-server.ts';
import { createSynthetic } from './synthetic.ts';

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '200' },
    json: { type: 'string' },
  },
});
const [rows, rounds] = [Number(flags.rows), Number(flags.rounds)];
const say = (line: string) => void process.stdout.write(`${line}\n`);
const BATCH = 2_000;
const WARM_UP = 30;
const LIMIT = 10;
const DEPTH = 100;
/** Rows without vectors: words alone are asked for. */
const DIMENSION = 2;
const none = new Float32Array(DIMENSION);
const ways = ['query_then_fetch', 'dfs_query_then_fetch'] as const;
type Way = (typeof ways)[number];

const folder = await mkdtemp(join(tmpdir(), 'ai-studio-statistics-'));
const server = await openServer(folder);
const createMeter = createMeters(server.pid);
const figures: Record<string, number | string> = { date: new Date().toISOString().slice(0, 10), rows };
function keep(name: string, value: number, digits: number): void {
  figures[name] = Number(value.toFixed(digits));
  say(`  ${name.padEnd(52)} ${figures[name]}`);
}

/** The rows that a way of counting finds in the index of a table. */
async function find(
  prefix: string,
  table: string,
  words: SoughtWords & Pick<KeywordQuery, 'weak'>,
  way: Way,
  size: number,
) {
  const query = wordsQuery(plainLayout, { ...words, limit: size });
  const path = `/${prefix}-t-${table}/_search?search_type=${way}&allow_partial_search_results=false`;
  const body = { size, query, _source: false, docvalue_fields: ['row_id'], track_total_hits: false };
  const answer = await server.ask('POST', path, body);
  return (answer.hits.hits as { fields: { row_id: string[] } }[]).map(({ fields }) => fields.row_id[0] ?? '');
}

/** The mean nDCG@10 of a judged collection in an index of so many shards, by both ways. */
async function quality(prefix: string, shards: number): Promise<void> {
  const index = createOpenSearchIndex(optionsOf(server.url, prefix, { shards }));
  for (const name of ['korean', 'pairs']) {
    const { docs, queries, relevance } = readCollection(join(import.meta.dirname, name));
    await index.createTable(name, { dimension: DIMENSION });
    await index.add(
      name,
      docs.map(({ id, title, text }) => ({
        rowId: id,
        chunkId: id,
        documentId: id,
        vector: none,
        ...analyze(`${title}\n${text}`),
        fields: {},
      })),
    );
    await index.stats(name);
    const judged = queries.filter(({ id }) => relevance.has(id));
    for (const way of ways) {
      let sum = 0;
      for (const { id, text } of judged) {
        const others = await weighSayings(expandQuery(text, { sets: [], starter: true }), (terms) =>
          index.has(name, { terms, mark: 1 }),
        );
        const words = analyzeQuery(text, others);
        sum += ndcg(await find(prefix, name, words, way, DEPTH), relevance.get(id) ?? new Map());
      }
      keep(`${name}, ${shards} shards, ${way}: nDCG@10`, sum / judged.length, 4);
    }
  }
  await index.close();
}

/** Times and processor time of both ways, in turns; and how many of the best ten are others. */
async function cost(prefix: string, shards: number): Promise<void> {
  const index = createOpenSearchIndex(optionsOf(server.url, prefix, { shards }));
  const data = createSynthetic(rows, DIMENSION, 0.01);
  await index.createTable('t', { dimension: DIMENSION });
  for (let at = 0; at < rows; at += BATCH)
    await index.add(
      't',
      Array.from({ length: Math.min(BATCH, rows - at) }, (_, offset) => ({ ...data.row(at + offset), vector: none })),
    );
  await index.maintain('t');
  await index.close();
  const meters = ways.map(() => createMeter());
  let others = 0;
  for (let at = 0; at < rounds + WARM_UP; at++) {
    if (at === WARM_UP) for (const meter of meters) meter.forget();
    const found: (readonly string[])[] = [];
    const question = data.question(at);
    // Which is first takes turns: the second finds the words in memory.
    for (const side of at % 2 === 0 ? [0, 1] : [1, 0])
      found[side] = (await meters[side]?.run(() => find(prefix, 't', question, ways[side] ?? ways[0], LIMIT))) ?? [];
    if (at >= WARM_UP) others += (found[0] ?? []).filter((id) => found[1]?.includes(id) === false).length;
  }
  for (const [side, way] of ways.entries()) {
    const meter = meters[side];
    if (meter === undefined) continue;
    keep(`${shards} shards, ${way}: p50 ms`, meter.at(0.5), 1);
    keep(`${shards} shards, ${way}: p99 ms`, meter.at(0.99), 1);
    keep(`${shards} shards, ${way}: CPU ms`, meter.cpu() / meter.count(), 2);
  }
  keep(`${shards} shards: others among the best ten`, others / rounds, 2);
}

try {
  for (const shards of [1, 3]) await cost(`cost${shards}`, shards);
  for (const shards of [1, 3]) await quality(`worth${shards}`, shards);
  figures['load average, end'] = Number(loadavg()[0]?.toFixed(1));
  if (flags.json !== undefined) await appendFile(flags.json, `${JSON.stringify(figures)}\n`);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
