/**
 * The embedded index and the one in OpenSearch over the same rows, in turns: loading (and a bare bulk of the same rows), size, and searches, with
 * the processor time of both sides. One command takes one point of the curve:
 *   node bench/retrieval/curves.ts --rows 100000 --dimension 384 [--rounds 100] [--bare 20000] [--writers 1] [--heap 1g] [--json FILE]
 */
import { readdirSync, statSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { linesOf, piecesOf } from '../../server/src/adapters/distributed/opensearch-index/bulk.ts';
import { createOpenSearchIndex } from '../../server/src/adapters/distributed/opensearch-index/index.ts';
import { plainLayout } from '../../server/src/adapters/distributed/opensearch-index/layout.ts';
import { indexOf } from '../../server/src/adapters/distributed/opensearch-index/mapping.ts';
import { createFolderFiles, createLanceIndex } from '../../server/src/adapters/embedded/lance-index/index.ts';
import { silenceNativeLogs } from '../../server/src/config/index.ts';
import type { IndexFilter, IndexRow, SearchIndex } from '../../server/src/ports/search-index.ts';
import { createMeters } from './meter.ts';
import { openServer, optionsOf, quiet } from './opensearch-server.ts';
import { createSynthetic } from './synthetic.ts';

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    dimension: { type: 'string', default: '384' },
    rounds: { type: 'string', default: '100' },
    /** Rows that are sent to the server past the adapter as well. */
    bare: { type: 'string', default: '20000' },
    /** Batches that OpenSearch gets at a time, once the rows that go past the adapter are there. */
    writers: { type: 'string', default: '1' },
    /** Memory of its Java. */
    heap: { type: 'string', default: '1g' },
    json: { type: 'string' },
  },
});
const [rows, dimension, rounds, bareRows] = [flags.rows, flags.dimension, flags.rounds, flags.bare].map(Number) as [
  number,
  number,
  number,
  number,
];
const writers = Math.max(1, Number(flags.writers));
const say = (line: string) => void process.stdout.write(`${line}\n`);
const BATCH = 1_000;
const WARM_UP = 10;
const WARM_BATCHES = 3;
const LIMIT = 10;
const TABLE = 'curve';
const CACHE_MB = 2_048;
/** Memory that the rows may take here, for the recall. */
const MAX_VECTOR_BYTES = totalmem() / 16;
const RECALL_ROUNDS = 20;
const filter: IndexFilter = { op: 'in', field: 'picked', values: [true] };

silenceNativeLogs();
const folder = await mkdtemp(join(tmpdir(), 'ai-studio-curves-'));
const server = await openServer(folder, flags.heap);
const createMeter = createMeters(server.pid);

const lanceFolder = join(folder, 'lance');
const lance = createLanceIndex({
  storage: { uri: lanceFolder },
  files: createFolderFiles(lanceFolder),
  cacheMb: CACHE_MB,
  log: quiet,
});
const options = optionsOf(server.url, 'curve');
const openSearch = createOpenSearchIndex(options);
type Side = readonly [string, SearchIndex];
const sides: readonly [Side, Side] = [
  ['LanceDB', lance],
  ['OpenSearch', openSearch],
];
const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB`;
const loadAverage = () => Number(loadavg()[0]?.toFixed(1));
const figures: Record<string, number | string> = {
  date: new Date().toISOString().slice(0, 10),
  machine,
  rows,
  dimension,
  writers,
  heap: flags.heap,
  'load average, beginning': loadAverage(),
};
/** Said at once: whoever has no more time has what came until then. */
function keep(name: string, value: number, digits = 1): void {
  figures[name] = Number(value.toFixed(digits));
  say(`  ${name.padEnd(44)} ${figures[name]}`);
}

const data = createSynthetic(rows, dimension, 0.01);
const vectors: Float32Array[] = [];

/** The rows into both indices; the first ones past the adapter too. */
async function load(): Promise<void> {
  const keepsVectors = rows * dimension * 4 <= MAX_VECTOR_BYTES;
  const loads = sides.map(() => createMeter());
  // The same rows by both ways; which is first takes turns.
  const [paired, bare] = [createMeter(), createMeter()];
  for (const [, index] of sides) await index.createTable(TABLE, { dimension });
  await server.ask('PUT', '/curve-bare', indexOf(options, dimension));
  const bulk = async (batch: readonly IndexRow[]) => {
    for (const piece of piecesOf(linesOf(batch, plainLayout)))
      await server.ask(
        'POST',
        '/curve-bare/_bulk',
        piece.map(({ id, source }) => `{"index":{"_id":${JSON.stringify(id)}}}\n${source}\n`).join(''),
      );
  };
  for (let at = 0, said = 0; at < rows;) {
    if (at >= said) {
      say(`  ${at} rows`);
      said += BATCH * 20;
    }
    const batches: IndexRow[][] = [];
    for (const many = at < bareRows ? 1 : writers; batches.length < many && at < rows; at += BATCH)
      batches.push(Array.from({ length: Math.min(BATCH, rows - at) }, (_, offset) => data.row(at + offset)));
    if (keepsVectors) for (const batch of batches) for (const { vector } of batch) vectors.push(vector);
    for (const batch of batches) await loads[0]?.run(() => lance.add(TABLE, batch));
    const ours = () => loads[1]?.run(() => Promise.all(batches.map((batch) => openSearch.add(TABLE, batch))));
    const number = at / BATCH;
    if (at > bareRows) {
      await ours();
      continue;
    }
    const theirs = () => bare.run(() => bulk(batches.flat()));
    const both = [() => paired.run(async () => ours()), theirs];
    for (const one of number % 2 === 0 ? both : both.toReversed()) await one();
    // The first ones warm the server up, whichever way they go.
    if (number <= WARM_BATCHES) for (const meter of [paired, bare]) meter.forget();
  }
  await server.ask('DELETE', '/curve-bare');
  say(`\n${rows} rows of ${dimension} numbers, ${machine}; load average ${loadAverage()}`);
  keep('load ratio to a bare bulk', bare.total() / paired.total(), 2);
  for (const [at, [name]] of sides.entries()) {
    keep(`${name}: rows/s`, (rows / (loads[at]?.total() ?? 1)) * 1000, 0);
    keep(`${name}: CPU ms a row, load`, (loads[at]?.cpu() ?? 0) / rows, 2);
  }
}

async function merge([name, index]: Side): Promise<void> {
  const meter = createMeter();
  await meter.run(() => index.maintain(TABLE));
  const { bytes } = await index.stats(TABLE);
  keep(`${name}: CPU ms a row, merge`, meter.cpu() / rows, 2);
  keep(`${name}: merge s`, meter.total() / 1000);
  keep(`${name}: bytes a row`, bytes / rows, 0);
}

const near = (index: SearchIndex, at: number, limit: number, by?: IndexFilter) =>
  index.nearest(TABLE, { vector: data.question(at).vector, limit, filter: by, mark: 1 });
const words = (index: SearchIndex, at: number, limit: number) => {
  const { terms, stems } = data.question(at);
  return index.keyword(TABLE, { terms, stems, limit, mark: 1 });
};
const kinds: readonly (readonly [string, (index: SearchIndex, at: number) => Promise<unknown>])[] = [
  ['vector', (index, at) => near(index, at, LIMIT)],
  ['keyword', (index, at) => words(index, at, LIMIT)],
  ['hybrid, 50 + 50', (index, at) => Promise.all([near(index, at, 50), words(index, at, 50)])],
  ['vector, filter of 1 %', (index, at) => near(index, at, LIMIT, filter)],
];

/** Searches of every kind, in turns by the sides. */
async function search(among: readonly Side[]): Promise<void> {
  for (const [kind, ask] of kinds) {
    const meters = among.map(() => createMeter());
    for (let at = 0; at < rounds + WARM_UP; at++) {
      if (at === WARM_UP) for (const meter of meters) meter.forget();
      for (const [side, [, index]] of among.entries()) await meters[side]?.run(() => ask(index, at));
    }
    for (const [side, [name]] of among.entries()) {
      const meter = meters[side];
      if (meter === undefined) continue;
      keep(`${name}: ${kind}, p50 ms`, meter.at(0.5));
      keep(`${name}: ${kind}, p99 ms`, meter.at(0.99));
      keep(`${name}: ${kind}, CPU ms`, meter.cpu() / meter.count());
    }
  }
}

/** How many of the ten nearest rows are found; nothing where there was no memory for all vectors. */
async function recall(): Promise<void> {
  if (vectors.length < rows) return;
  const dot = (a: Float32Array, b: Float32Array) => {
    let sum = 0;
    for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
    return sum;
  };
  const found = sides.map(() => 0);
  for (let at = 0; at < RECALL_ROUNDS; at++) {
    const { vector } = data.question(50_000 + at);
    // All of them have the length 1.
    const nearest = vectors.map((one, row) => [dot(one, vector), row] as const).toSorted((a, b) => b[0] - a[0]);
    const truth = nearest.slice(0, LIMIT).map(([, row]) => data.row(row).rowId);
    for (const [side, [, index]] of sides.entries()) {
      const hits = await index.nearest(TABLE, { vector, limit: LIMIT, mark: 1 });
      const ids = new Set(hits.map(({ rowId }) => rowId));
      found[side] = (found[side] ?? 0) + truth.filter((id) => ids.has(id)).length;
    }
  }
  for (const [side, [name]] of sides.entries())
    keep(`${name}: recall@10`, (found[side] ?? 0) / RECALL_ROUNDS / LIMIT, 3);
}

try {
  await load();
  await merge(sides[0]);
  const files = readdirSync(lanceFolder, { recursive: true, encoding: 'utf8' });
  const used = files.reduce((sum, name) => sum + statSync(join(lanceFolder, name)).size, 0);
  keep('LanceDB: bytes a row, folder', used / rows, 0);
  await openSearch.stats(TABLE);
  const [segments] = await server.ask('GET', `/_cat/indices/curve*?format=json&h=segments.count,pri.segments.count`);
  keep('OpenSearch: segments before the merge', Number(segments?.['segments.count'] ?? Number.NaN), 0);
  await search([['OpenSearch before the merge', openSearch]]);
  await merge(sides[1]);
  await search(sides);
  await recall();
  figures['load average, end'] = loadAverage();
  if (flags.json !== undefined) await appendFile(flags.json, `${JSON.stringify(figures)}\n`);
} finally {
  for (const [, index] of sides) await index.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
