/**
 * The search index in OpenSearch: whether it ranks as the embedded one does, also where small collections share an index, and how fast it
 * loads and finds. It starts a server of its own where the machine has Maven and a JDK. See docs/decisions/opensearch.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { linesOf, piecesOf } from '../../server/src/adapters/distributed/opensearch-index/bulk.ts';
import { createOpenSearchIndex } from '../../server/src/adapters/distributed/opensearch-index/index.ts';
import { plainLayout } from '../../server/src/adapters/distributed/opensearch-index/layout.ts';
import { indexOf } from '../../server/src/adapters/distributed/opensearch-index/mapping.ts';
import type { OpenSearchOptions } from '../../server/src/adapters/distributed/opensearch-index/options.ts';
import { createFolderFiles, createLanceIndex } from '../../server/src/adapters/embedded/lance-index/index.ts';
import { silenceNativeLogs } from '../../server/src/config/index.ts';
import type { IndexFilter, IndexRow, SearchIndex } from '../../server/src/ports/search-index.ts';
import { analyze, analyzeQuery } from '../../server/src/retrieval/analyzer/index.ts';
import { embedLexically, LEXICAL_DIMENSION } from '../../server/src/retrieval/lexical-embedder/index.ts';
import { expandQuery } from '../../server/src/retrieval/synonyms/expand.ts';
// @ts-expect-error A script without types.
import { installOpenSearch, startOpenSearch } from '../../tools/opensearch.mjs';
import { readCollection, type Collection } from './collection.ts';
import { ndcg } from './metrics.ts';
import { createSynthetic } from './synthetic.ts';

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', multiple: true, default: [] },
    dimension: { type: 'string', default: '384' },
    quality: { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const root = join(import.meta.dirname, '../..');
const DEPTH = 100;
const LIMIT = 10;
const BATCH = 1_000;
/** Rows that are sent to the server without us as well, in turns. */
const BARE_ROWS = 8_000;
const ROUNDS = 100;
const RECALL_ROUNDS = 30;
/** Rows beside the collections that are measured, as a tenant has them. */
const NEIGHBOURS = 2_000;

const folder = await mkdtemp(join(tmpdir(), 'ai-studio-opensearch-'));
const installed = join(root, '.runtime/opensearch');
await installOpenSearch(root, installed);
const server: { readonly url: string; close(): Promise<void> } = await startOpenSearch({
  root,
  folder: installed,
  data: join(folder, 'data'),
});

const optionsOf = (prefix: string, shards: number): OpenSearchOptions => ({
  url: server.url,
  prefix,
  shards,
  replicas: 0,
  engine: 'lucene',
  tablesPerIndex: 100,
  ownIndexRows: 10_000_000,
  log: quiet,
});

async function ask(method: string, path: string, body?: object | string): Promise<void> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const answer = await fetch(server.url + path, {
    method,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"errors":true')) throw new Error(`${method} ${path}: ${text.slice(0, 500)}`);
}

const rowsOf = ({ docs }: Collection): IndexRow[] =>
  docs.map(({ id, title, text }) => {
    const whole = `${title}\n${text}`;
    return { rowId: id, chunkId: id, documentId: id, vector: embedLexically(whole), ...analyze(whole), fields: {} };
  });

/** The mean nDCG@10 of a table. */
async function pointsOf(index: SearchIndex, table: string, { queries, relevance }: Collection): Promise<number> {
  let sum = 0;
  const judged = queries.filter(({ id }) => relevance.has(id));
  for (const { id, text } of judged) {
    const words = analyzeQuery(text, expandQuery(text, { sets: [], starter: true }));
    const hits = await index.keyword(table, { ...words, limit: DEPTH, mark: 1 });
    sum += ndcg(
      hits.map(({ rowId }) => rowId),
      relevance.get(id) ?? new Map(),
    );
  }
  return sum / judged.length;
}

async function quality(): Promise<void> {
  const sets = ['korean', 'pairs'].map((name) => [name, readCollection(join(import.meta.dirname, name))] as const);
  const synthetic = createSynthetic(NEIGHBOURS, LEXICAL_DIMENSION, 0.01);
  const beside = Array.from({ length: NEIGHBOURS }, (_, at) => synthetic.row(at));
  const print = (way: string, points: readonly number[]) =>
    say(`${way.padEnd(48)} ${points.map((one) => one.toFixed(4)).join('  ')}`);
  say(`keyword, nDCG@10`.padEnd(48) + sets.map(([name]) => ` ${name} `).join(''));
  const lance = createLanceIndex({
    storage: { uri: join(folder, 'lance') },
    files: createFolderFiles(join(folder, 'lance')),
    cacheMb: 256,
    log: quiet,
  });
  const points = async (index: SearchIndex) => {
    const all: number[] = [];
    for (const [name, set] of sets) all.push(await pointsOf(index, name, set));
    return all;
  };
  for (const [name, set] of sets) {
    await lance.createTable(name, { dimension: LEXICAL_DIMENSION });
    await lance.add(name, rowsOf(set));
    await lance.maintain(name);
  }
  print('LanceDB', await points(lance));
  await lance.close();
  for (const shards of [1, 3])
    for (const way of ['an index each', 'shared, fields of their own', 'shared, the same fields'] as const) {
      const prefix = `q${shards}-${way.replaceAll(/[^a-z]/g, '')}`;
      const index = createOpenSearchIndex(optionsOf(prefix, shards));
      for (const [name, rows] of [
        ...sets.map(([of, set]) => [of, rowsOf(set)] as const),
        ['beside', beside] as const,
      ]) {
        await index.createTable(name, {
          dimension: LEXICAL_DIMENSION,
          family: way === 'an index each' ? undefined : 'tenant',
        });
        if (way === 'shared, the same fields') {
          const alias = `${prefix}-t-${name}`;
          const found = (await (await fetch(`${server.url}/_alias/${alias}`)).json()) as object;
          const add = { index: Object.keys(found)[0], alias, filter: { term: { table: name } } };
          await ask('POST', '/_aliases', { actions: [{ add: { ...add, routing: '0', is_write_index: true } }] });
        }
        await index.add(name, rows);
      }
      print(`OpenSearch, shards ${shards}: ${way}`, await points(index));
      await index.close();
    }
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

async function timesOf(name: string, search: (at: number) => Promise<unknown>): Promise<void> {
  const spent: number[] = [];
  for (let at = -10; at < ROUNDS; at++) {
    const began = performance.now();
    await search(Math.abs(at));
    if (at >= 0) spent.push(performance.now() - began);
  }
  say(`  ${name.padEnd(24)} p50 ${quantile(spent, 0.5).toFixed(1)} ms, p99 ${quantile(spent, 0.99).toFixed(1)} ms`);
}

async function scale(rows: number, dimension: number): Promise<void> {
  say(`\n${rows} rows of ${dimension} numbers`);
  const prefix = `s${rows}`;
  const options = optionsOf(prefix, 1);
  const index = createOpenSearchIndex(options);
  const data = createSynthetic(rows, dimension, 0.01);
  const vectors: Float32Array[] = [];
  await index.createTable('scale', { dimension });
  const bare = `${prefix}-bare`;
  await ask('PUT', `/${bare}`, indexOf(options, dimension));
  let [ours, theirs, paired] = [0, 0, 0];
  for (let at = 0; at < rows; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, rows - at) }, (_, offset) => data.row(at + offset));
    vectors.push(...batch.map(({ vector }) => vector));
    const began = performance.now();
    await index.add('scale', batch);
    const spent = performance.now() - began;
    ours += spent;
    if (at >= BARE_ROWS) continue;
    paired += spent;
    const pieces = [...piecesOf(linesOf(batch, plainLayout))].map((piece) =>
      piece.map(({ id, source }) => `{"index":{"_id":${JSON.stringify(id)}}}\n${source}\n`).join(''),
    );
    const bareBegan = performance.now();
    for (const piece of pieces) await ask('POST', `/${bare}/_bulk`, piece);
    theirs += performance.now() - bareBegan;
  }
  await ask('DELETE', `/${bare}`);
  say(
    `  loaded: ${((rows / ours) * 1000).toFixed(0)} rows/s; of a bare bulk in turns: ${(theirs / paired).toFixed(2)}`,
  );
  const mergeBegan = performance.now();
  await index.maintain('scale');
  const stats = await index.stats('scale');
  say(
    `  merged in ${((performance.now() - mergeBegan) / 1000).toFixed(1)} s; ${(stats.bytes / rows).toFixed(0)} bytes a row`,
  );
  const filter: IndexFilter = { op: 'in', field: 'picked', values: [true] };
  const question = (at: number) => data.question(at);
  const near = (at: number, limit: number, by?: IndexFilter) =>
    index.nearest('scale', { vector: question(at).vector, limit, filter: by, mark: 1 });
  const words = (at: number, limit: number) => {
    const { terms, stems } = question(at);
    return index.keyword('scale', { terms, stems, limit, mark: 1 });
  };
  await timesOf('vector', (at) => near(at, LIMIT));
  await timesOf('keyword', (at) => words(at, LIMIT));
  await timesOf('hybrid, 50 + 50', (at) => Promise.all([near(at, 50), words(at, 50)]));
  await timesOf('vector, filter of 1 %', (at) => near(at, LIMIT, filter));
  let found = 0;
  for (let at = 0; at < RECALL_ROUNDS; at++) {
    const asked = question(50_000 + at).vector;
    const length = (vector: Float32Array) => Math.hypot(...vector);
    const own = length(asked);
    const scores = vectors.map((vector, row) => {
      let dot = 0;
      for (let place = 0; place < dimension; place++) dot += (vector[place] ?? 0) * (asked[place] ?? 0);
      return [dot / (own * length(vector)), row] as const;
    });
    const truth = scores.toSorted((a, b) => b[0] - a[0]).slice(0, LIMIT);
    const ids = new Set(
      (await index.nearest('scale', { vector: asked, limit: LIMIT, mark: 1 })).map(({ rowId }) => rowId),
    );
    found += truth.filter(([, row]) => ids.has(data.row(row).rowId)).length;
  }
  say(`  recall@10 ${(found / RECALL_ROUNDS / LIMIT).toFixed(3)}`);
  await index.dropTable('scale');
  await index.close();
}

silenceNativeLogs();
try {
  if (flags.quality || flags.rows.length === 0) await quality();
  for (const rows of flags.rows) await scale(Number(rows), Number(flags.dimension));
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
