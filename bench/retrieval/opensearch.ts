/**
 * The search index in OpenSearch: whether it ranks as the embedded one does, also where small collections share an index. It starts a server
 * of its own where the machine has Maven and a JDK. See docs/decisions/opensearch.md; `curves.ts` says how fast it is.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenSearchIndex } from '../../server/src/adapters/distributed/opensearch-index/index.ts';
import { createFolderFiles, createLanceIndex } from '../../server/src/adapters/embedded/lance-index/index.ts';
import { silenceNativeLogs } from '../../server/src/config/index.ts';
import type { IndexRow, SearchIndex } from '../../server/src/ports/search-index.ts';
import { analyze, analyzeQuery } from '../../server/src/retrieval/analyzer/index.ts';
import { embedLexically, LEXICAL_DIMENSION } from '../../server/src/retrieval/lexical-embedder/index.ts';
import { expandQuery } from '../../server/src/retrieval/synonyms/expand.ts';
import { readCollection, type Collection } from './collection.ts';
import { ndcg } from './metrics.ts';
import { openServer, optionsOf, quiet } from './opensearch-server.ts';
import { createSynthetic } from './synthetic.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const DEPTH = 100;
/** Rows beside the collections that are measured, as a tenant has them. */
const NEIGHBOURS = 2_000;

const folder = await mkdtemp(join(tmpdir(), 'ai-studio-opensearch-'));
const server = await openServer(folder);
const { ask } = server;

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
      const index = createOpenSearchIndex(optionsOf(server.url, prefix, { shards }));
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

silenceNativeLogs();
try {
  await quality();
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
