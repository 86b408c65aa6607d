import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openEngine } from '../../server/src/adapters/embedded/lance-index/engine.ts';
import { createFolderFiles, createLanceIndex } from '../../server/src/adapters/embedded/lance-index/index.ts';
import type { IndexFilter, SearchIndex } from '../../server/src/ports/search-index.ts';
import { fuse } from '../../server/src/retrieval/search/fusion.ts';
import { openSearchService } from './service.ts';
import { createSynthetic, type Synthetic } from './synthetic.ts';

/** Times of one kind of search, in milliseconds. */
export interface Times {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  readonly rawP50: number;
  readonly rawP99: number;
}

export interface ScaleResult {
  readonly rows: number;
  readonly dimension: number;
  readonly ingestRowsPerSecond: number;
  readonly maintainSeconds: number;
  readonly times: readonly Times[];
  /** The whole search beside the legs of the engine that it asks. */
  readonly wholeTimes: readonly Times[];
  readonly recall: number;
  readonly recallUnderFilter: number;
  readonly longestBlockMs: number;
}

const SHARE = 0.01;
const BATCH = 2_000;
const ROUNDS = 200;
const RECALL_ROUNDS = 50;
const LIMIT = 10;
/** Hits of each leg of a hybrid search. */
const DEPTH = 50;
const TABLE = 'scale';
/** Memory for structures of searches. */
const CACHE_MB = 2_048;
const filter: IndexFilter = { op: 'in', field: 'picked', values: [true] };
/** The same filter as the engine's own condition. */
const RAW_FILTER = "array_has(facts, 'picked\u001Fb1')";
const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

type Question = ReturnType<Synthetic['question']>;

async function fill(index: SearchIndex, data: Synthetic, rows: number, say: (line: string) => void): Promise<number> {
  let spent = 0;
  for (let at = 0; at < rows; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, rows - at) }, (_, offset) => data.row(at + offset));
    const began = performance.now();
    await index.add(TABLE, batch);
    spent += performance.now() - began;
    if (at % (BATCH * 10) === 0) say(`  ${at} rows`);
  }
  return (rows / spent) * 1000;
}

/** The engine called directly, as its own documentation does, with the same settings. */
async function openRaw(folder: string) {
  const { lance, connection } = await openEngine({ uri: folder }, CACHE_MB);
  const table = await connection.openTable(TABLE);
  const names = ['row_id', 'chunk_id', 'document_id'];
  const nearest = ({ vector }: Question, limit: number, where?: string, exact = false) => {
    const query = table
      .query()
      .nearestTo(vector)
      .distanceType('cosine')
      .select([...names, '_distance'])
      .limit(limit)
      .refineFactor(Math.max(2, Math.ceil((where === undefined ? 300 : 1_500) / limit)));
    if (where === undefined) query.nprobes(100);
    else query.maximumNprobes(0).minimumNprobes(100).where(where);
    if (exact) query.bypassVectorIndex();
    return query.toArray();
  };
  const { BooleanQuery, MatchQuery, Occur } = lance;
  const keyword = ({ terms, stems }: Question, limit: number) =>
    table
      .query()
      .fullTextSearch(
        new BooleanQuery([
          [Occur.Should, new MatchQuery(terms.join(' '), 'terms')],
          [Occur.Should, new MatchQuery(stems.join(' '), 'stems', { boost: 0.5 })],
        ]),
      )
      .select([...names, '_score'])
      .limit(limit)
      .toArray();
  return {
    nearest,
    exact: (question: Question, where?: string) => nearest(question, LIMIT, where, true),
    keyword,
    close: () => {
      table.close();
      connection.close();
    },
  };
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Both ways take turns, so that what else the machine does hits both. */
async function compare(
  name: string,
  ours: (at: number) => Promise<unknown>,
  raw: (at: number) => Promise<unknown>,
): Promise<Times> {
  const spent: [number[], number[]] = [[], []];
  for (let at = -20; at < ROUNDS; at++) {
    for (const [which, search] of [ours, raw].entries()) {
      const began = performance.now();
      await search(Math.abs(at));
      if (at >= 0) spent[which]?.push(performance.now() - began);
    }
  }
  const [own, engine] = spent.map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]];
  return {
    name,
    p50: quantile(own, 0.5),
    p99: quantile(own, 0.99),
    rawP50: quantile(engine, 0.5),
    rawP99: quantile(engine, 0.99),
  };
}

/** Searches as clients ask for them, beside the engine's legs with the limits that the search gives them. */
async function compareWhole(
  folder: string,
  index: SearchIndex,
  data: Synthetic,
  raw: Awaited<ReturnType<typeof openRaw>>,
  { rows, dimension, say }: { rows: number; dimension: number; say: (line: string) => void },
): Promise<readonly Times[]> {
  const service = await openSearchService(folder, index, data, { rows, table: TABLE, dimension, log: quiet });
  say('  the database is filled');
  try {
    return [
      await compare(
        'vector',
        (at) => service.search(at, { search_type: 'vector' }),
        (at) => raw.nearest(data.question(at), DEPTH),
      ),
      await compare(
        'keyword',
        (at) => service.search(at, { search_type: 'keyword' }),
        (at) => raw.keyword(data.question(at), DEPTH),
      ),
      await compare(
        'hybrid',
        (at) => service.search(at, { search_type: 'hybrid' }),
        (at) => Promise.all([raw.nearest(data.question(at), DEPTH), raw.keyword(data.question(at), DEPTH)]),
      ),
      await compare(
        'vector, filter of 1 %',
        (at) => service.search(at, { search_type: 'vector', filters: { picked: true } }),
        (at) => raw.nearest(data.question(at), DEPTH, RAW_FILTER),
      ),
    ];
  } finally {
    await service.close();
  }
}

/** Share of the truly nearest that a search finds. */
async function recallOf(
  data: Synthetic,
  search: (question: Question) => Promise<readonly { readonly rowId: string }[]>,
  exact: (question: Question) => Promise<readonly { readonly row_id?: unknown }[]>,
): Promise<number> {
  let found = 0;
  let wanted = 0;
  for (let at = 0; at < RECALL_ROUNDS; at++) {
    const question = data.question(50_000 + at);
    const ids = new Set((await search(question)).map(({ rowId }) => rowId));
    const truth = await exact(question);
    wanted += truth.length;
    found += truth.filter(({ row_id: id }) => ids.has(String(id))).length;
  }
  return found / wanted;
}

/** Fills a table with synthetic rows and measures searches in it. */
export async function measureScale(rows: number, dimension: number, say: (line: string) => void): Promise<ScaleResult> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-scale-'));
  const index = createLanceIndex({
    storage: { uri: folder },
    files: createFolderFiles(folder),
    cacheMb: CACHE_MB,
    log: quiet,
  });
  const data = createSynthetic(rows, dimension, SHARE);
  try {
    await index.createTable(TABLE, { dimension });
    const ingestRowsPerSecond = await fill(index, data, rows, say);
    const began = performance.now();
    await index.maintain(TABLE);
    const maintainSeconds = (performance.now() - began) / 1000;
    say(`  maintained in ${maintainSeconds.toFixed(1)} s`);
    const raw = await openRaw(folder);
    const near = (question: Question, limit: number, by?: IndexFilter) =>
      index.nearest(TABLE, { vector: question.vector, limit, filter: by, mark: 1 });
    const words = ({ terms, stems }: Question, limit: number) => index.keyword(TABLE, { terms, stems, limit, mark: 1 });
    const legs = (hits: readonly { readonly rowId: string; readonly score: number }[]) =>
      hits.map(({ rowId: id, score }) => ({ id, score }));
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const question = (at: number) => data.question(at);
    const times = [
      await compare(
        'vector',
        (at) => near(question(at), LIMIT),
        (at) => raw.nearest(question(at), LIMIT),
      ),
      await compare(
        'keyword',
        (at) => words(question(at), LIMIT),
        (at) => raw.keyword(question(at), LIMIT),
      ),
      await compare(
        'hybrid',
        async (at) => {
          const asked = question(at);
          const [vector, keyword] = await Promise.all([near(asked, DEPTH), words(asked, DEPTH)]);
          return fuse(legs(vector), legs(keyword), { kind: 'weighted', alpha: 0.5 });
        },
        (at) => Promise.all([raw.nearest(question(at), DEPTH), raw.keyword(question(at), DEPTH)]),
      ),
      await compare(
        'vector, filter of 1 %',
        (at) => near(question(at), LIMIT, filter),
        (at) => raw.nearest(question(at), LIMIT, RAW_FILTER),
      ),
    ];
    delays.disable();
    const recall = await recallOf(
      data,
      (asked) => near(asked, LIMIT),
      (asked) => raw.exact(asked),
    );
    const recallUnderFilter = await recallOf(
      data,
      (asked) => near(asked, LIMIT, filter),
      (asked) => raw.exact(asked, RAW_FILTER),
    );
    const longestBlockMs = delays.max / 1e6;
    const wholeTimes = await compareWhole(folder, index, data, raw, { rows, dimension, say });
    raw.close();
    return {
      rows,
      dimension,
      ingestRowsPerSecond,
      maintainSeconds,
      times,
      wholeTimes,
      recall,
      recallUnderFilter,
      longestBlockMs,
    };
  } finally {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  }
}
