/**
 * The search index in OpenSearch: whether it ranks as the embedded one does, also where small collections share an index. It starts a server
 * of its own where the machine has Maven and a JDK. See docs/decisions/opensearch.md; `curves.ts` says how fast it is.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createOpenSearchIndex } from '../../server/src/adapters/distributed/opensearch-index/index.ts';
import { createFolderFiles, createLanceIndex } from '../../server/src/adapters/embedded/lance-index/index.ts';
import { silenceNativeLogs } from '../../server/src/config/index.ts';
import type { IndexHit, IndexRow, SearchIndex } from '../../server/src/ports/search-index.ts';
import { analyze, analyzeQuery } from '../../server/src/retrieval/analyzer/index.ts';
import { expandQuery } from '../../server/src/retrieval/synonyms/expand.ts';
import { weighSayings } from '../../server/src/retrieval/synonyms/weigh.ts';
import { readCollection, type Collection } from './collection.ts';
import { ndcg } from './metrics.ts';
import { openServer, optionsOf, quiet } from './opensearch-server.ts';
import { readPublicSet } from './public-sets.ts';
import { createSynthetic } from './synthetic.ts';

const usage = `Usage: node bench/retrieval/opensearch.ts [options]

  --set path      a public set as it is published (see run.ts), in place of the project's own; may be given several times
  --json file     write every figure to a file
`;
const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const DEPTH = 100;
const BEST = 10;
/** Rows beside the collections that are measured, as a tenant has them. */
const NEIGHBOURS = 2_000;
/** Words alone are asked for; the vectors of rows only have to be some, of a length that the structures of LanceDB take. */
const DIMENSION = 8;
const BATCH = 500;
/** Points are sums of numbers of 32 bits. */
const NEAR = 1e-3;

const folder = await mkdtemp(join(tmpdir(), 'ai-studio-opensearch-'));
const server = await openServer(folder);
const { ask } = server;

interface JudgedSet {
  readonly name: string;
  readonly collection: Collection;
  readonly rows: readonly IndexRow[];
}

const rowsOf = ({ docs }: Collection): IndexRow[] =>
  docs.map(({ id, title, text }, at) => ({
    rowId: id,
    chunkId: id,
    documentId: id,
    vector: Float32Array.from({ length: DIMENSION }, (_, axis) => Math.cos(at + axis)),
    ...analyze(`${title}\n${text}`),
    fields: {},
  }));

const setOf = (name: string, collection: Collection): JudgedSet => ({ name, collection, rows: rowsOf(collection) });

/** Tables are named by letters and digits. */
const tableOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');

/** What an index found for each question that is judged. */
type Found = ReadonlyMap<string, readonly IndexHit[]>;

async function findAll(index: SearchIndex, { name, collection }: JudgedSet): Promise<Found> {
  const table = tableOf(name);
  const found = new Map<string, readonly IndexHit[]>();
  for (const { id, text } of collection.queries) {
    if (!collection.relevance.has(id)) continue;
    const others = await weighSayings(expandQuery(text, { sets: [], starter: true }), (terms) =>
      index.has(table, { terms, mark: 1 }),
    );
    found.set(id, await index.keyword(table, { ...analyzeQuery(text, others), limit: DEPTH, mark: 1 }));
  }
  return found;
}

/** The mean nDCG@10. */
function pointsOf({ collection: { relevance } }: JudgedSet, found: Found): number {
  const all = [...found].map(([id, hits]) =>
    ndcg(
      hits.map(({ rowId }) => rowId),
      relevance.get(id) ?? new Map(),
    ),
  );
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

/** Share of the questions whose best ten have the same points, each of them, as those of another index; rows with equal points may change places. */
function samePoints(one: Found, other: Found): number {
  const same = [...one].filter(([id, hits]) => {
    const known = other.get(id) ?? [];
    return hits.slice(0, BEST).every(({ score }, at) => Math.abs(score / (known[at]?.score ?? 0) - 1) < NEAR);
  });
  return same.length / one.size;
}

async function fill(index: SearchIndex, { name, rows }: Pick<JudgedSet, 'name' | 'rows'>): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) await index.add(tableOf(name), rows.slice(at, at + BATCH));
}

async function quality(): Promise<void> {
  const own = flags.set.length === 0;
  const sets = own
    ? ['korean', 'pairs'].map((name) => setOf(name, readCollection(join(import.meta.dirname, name))))
    : flags.set.map((path) => setOf(basename(path), readPublicSet(resolve(path))));
  const synthetic = createSynthetic(NEIGHBOURS, DIMENSION, 0.01);
  const beside = { name: 'beside', rows: Array.from({ length: NEIGHBOURS }, (_, at) => synthetic.row(at)) };
  const figures: Record<string, number> = {};
  const print = (way: string, name: string, points: number, same?: number) => {
    figures[`${way}, ${name}: nDCG@10`] = points;
    if (same !== undefined) figures[`${way}, ${name}: same points`] = same;
    const more = same === undefined ? '' : `   ${(same * 100).toFixed(2)} % with the same points`;
    say(`${way.padEnd(48)} ${name.padEnd(24)} ${points.toFixed(4)}${more}`);
  };
  const lance = createLanceIndex({
    storage: { uri: join(folder, 'lance') },
    files: createFolderFiles(join(folder, 'lance')),
    cacheMb: 256,
    log: quiet,
  });
  const expected = new Map<string, Found>();
  for (const set of sets) {
    await lance.createTable(tableOf(set.name), { dimension: DIMENSION });
    await fill(lance, set);
    await lance.maintain(tableOf(set.name));
    const found = await findAll(lance, set);
    expected.set(set.name, found);
    print('LanceDB', set.name, pointsOf(set, found));
  }
  await lance.close();
  const ways = ['an index each', 'shared, fields of their own', 'shared, the same fields'] as const;
  for (const shards of [1, 3])
    for (const way of own ? ways : ways.slice(0, 1)) {
      const prefix = `q${shards}-${way.replaceAll(/[^a-z]/g, '')}`;
      const index = createOpenSearchIndex(optionsOf(server.url, prefix, { shards }));
      for (const one of [...sets, ...(own ? [beside] : [])]) {
        const table = tableOf(one.name);
        await index.createTable(table, {
          dimension: DIMENSION,
          family: way === 'an index each' ? undefined : 'tenant',
        });
        if (way === 'shared, the same fields') {
          const alias = `${prefix}-t-${table}`;
          const found = (await (await fetch(`${server.url}/_alias/${alias}`)).json()) as object;
          const add = { index: Object.keys(found)[0], alias, filter: { term: { table } } };
          await ask('POST', '/_aliases', { actions: [{ add: { ...add, routing: '0', is_write_index: true } }] });
        }
        await fill(index, one);
      }
      for (const set of sets) {
        await index.stats(tableOf(set.name));
        const found = await findAll(index, set);
        const same = samePoints(expected.get(set.name) ?? new Map(), found);
        print(`OpenSearch, shards ${shards}: ${way}`, set.name, pointsOf(set, found), same);
      }
      await index.close();
    }
  if (flags.json !== undefined) await writeFile(flags.json, JSON.stringify(figures, null, 1));
}

silenceNativeLogs();
try {
  await quality();
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
