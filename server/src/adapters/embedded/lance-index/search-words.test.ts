import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexFilter, IndexRow } from '../../../ports/search-index.ts';
import { openEngine } from './engine.ts';
import { filterSql } from './filter-sql.ts';
import { createFolderFiles, createLanceIndex } from './index.ts';
import { times } from '../../../../test/support/long.ts';

const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
let state = 7;
const random = () => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2_147_483_647;
/** Some words are in half of the rows, most in a few. */
const pick = (kind: string, many: number) =>
  Array.from({ length: many }, () => `${kind}${Math.floor(60 * random() ** 3)}`);
const row = (at: number): IndexRow => ({
  rowId: `r${at}`,
  chunkId: `c${at}`,
  documentId: 'd',
  vector: Float32Array.of(1, 0),
  // A row may have terms without stems.
  terms: pick('t', 3 + Math.floor(random() * 20)),
  stems: pick('s', Math.floor(random() * 6)),
  fields: { part: at % 3 },
});

let folder: string;
let index: ReturnType<typeof createLanceIndex>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'words-'));
  index = createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log });
  await index.createTable('t', { dimension: 2 });
  await index.add(
    't',
    Array.from({ length: 3_000 }, (_, at) => row(at)),
  );
  await index.maintain('t');
});
afterAll(async () => {
  await index.close();
  await rm(folder, { recursive: true, force: true });
});

/** Points of all rows, as the engine itself adds them up. */
async function allPoints(
  terms: readonly string[],
  stems: readonly string[],
  filter: IndexFilter | undefined,
  name: string,
) {
  const { lance, connection } = await openEngine({ uri: folder }, 64);
  const table = await connection.openTable(name);
  const { BooleanQuery, MatchQuery, Occur } = lance;
  const words = new BooleanQuery([
    [Occur.Should, new MatchQuery(terms.join(' '), 'terms')],
    [Occur.Should, new MatchQuery(stems.join(' '), 'stems', { boost: 0.5 })],
  ]);
  const search = table.query().fullTextSearch(words).select(['row_id', '_score']).limit(10_000);
  if (filter !== undefined) search.where(filterSql(filter));
  const found = (await search.toArray()) as { row_id: string; _score: number }[];
  table.close();
  connection.close();
  return new Map(found.map((one) => [one.row_id, one._score]));
}

/** A search by words of chance, and the points that the engine gives to all rows for them. */
async function ask(limit: number, filter?: IndexFilter, name = 't') {
  const terms = pick('t', 1 + Math.floor(random() * 8));
  const stems = pick('s', 1 + Math.floor(random() * 4));
  const points = await allPoints(terms, stems, filter, name);
  const best = [...points.values()].toSorted((a, b) => b - a).slice(0, limit);
  return { hits: await index.keyword(name, { terms, stems, limit, filter }), points, best };
}

const some: IndexFilter = { op: 'in', field: 'part', values: [1] };
test.each([
  { limit: 1, filter: undefined },
  { limit: 50, filter: undefined },
  { limit: 400, filter: undefined },
  { limit: 20, filter: some },
])('the best $limit rows are those whose terms and stems have the most points together', async ({ limit, filter }) => {
  for (let round = 0; round < times(4, 12); round++) {
    const { hits, points, best } = await ask(limit, filter);
    expect(hits).toHaveLength(best.length);
    for (const [at, hit] of hits.entries()) {
      expect(hit.score).toBeCloseTo(best[at] ?? 0, 3);
      expect(hit.score).toBeCloseTo(points.get(hit.rowId) ?? 0, 3);
    }
  }
});

test('rows that the structures do not have yet are among them', async () => {
  await index.add(
    't',
    Array.from({ length: 300 }, (_, at) => row(3_000 + at)),
  );
  let fresh = 0;
  for (let round = 0; round < times(4, 12); round++) {
    const { hits, best } = await ask(50);
    expect(hits).toHaveLength(best.length);
    // The engine compares their lengths with those of the rows that it looks at, so their points differ a little.
    for (const [at, hit] of hits.entries()) expect(Math.abs(hit.score / (best[at] ?? 0) - 1)).toBeLessThan(0.05);
    fresh += hits.filter(({ rowId }) => Number(rowId.slice(1)) >= 3_000).length;
  }
  expect(fresh).toBeGreaterThan(0);
});

test('rows that were added twice count once, with all their points', async () => {
  const twice = Array.from({ length: 1_500 }, (_, at) => row(5_000 + at));
  await index.createTable('twice', { dimension: 2 });
  await index.add('twice', twice);
  await index.add('twice', twice);
  await index.maintain('twice');
  for (let round = 0; round < times(4, 12); round++) {
    const { hits, points, best } = await ask(50, undefined, 'twice');
    expect(hits).toHaveLength(best.length);
    for (const [at, hit] of hits.entries()) {
      expect(hit.score).toBeCloseTo(best[at] ?? 0, 3);
      expect(hit.score).toBeCloseTo(points.get(hit.rowId) ?? 0, 3);
    }
  }
});
