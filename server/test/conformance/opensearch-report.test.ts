import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenSearchIndex } from '../../src/adapters/distributed/opensearch-index/index.ts';
import { isBeyond, readReport } from '../../src/adapters/distributed/opensearch-index/report.ts';
import type { IndexRow, SearchIndex } from '../../src/ports/search-index.ts';
import { startFakeOpenSearch, type FakeOpenSearch } from '../fakes/opensearch-server.ts';
import { inFamily, optionsFor } from './opensearch.ts';

let fake: FakeOpenSearch;
let index: SearchIndex;
beforeEach(async () => {
  fake = await startFakeOpenSearch();
  index = createOpenSearchIndex(optionsFor(fake.url, 'studio'));
});
afterEach(async () => {
  await index.close();
  await fake.close();
});

const row = (id: string): IndexRow => ({
  rowId: id,
  chunkId: id,
  documentId: id,
  vector: Float32Array.of(1, 2),
  terms: ['word'],
  stems: [],
  fields: {},
});
const look = (more: Parameters<typeof optionsFor>[2] = {}) => readReport(optionsFor(fake.url, 'studio', more));
const kindsOf = async (more: Parameters<typeof optionsFor>[2] = {}) =>
  (await look(more)).advice.map(({ kind }) => kind);
const put = (path: string, body: object) =>
  fetch(fake.url + path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the report of a cluster: its indices, rows, nodes and disks beside their watermarks', async () => {
  expect(await look()).toMatchObject({ tables: 0, rows: 0, cluster: { status: null, indices: 0 } });
  const mine = inFamily(index);
  for (const table of ['a', 'b']) await mine.createTable(table, { dimension: 2 });
  await index.createTable('alone', { dimension: 2 });
  for (const [table, ids] of [
    ['a', ['1']],
    ['alone', ['1', '2']],
  ] as const) {
    await index.add(table, ids.map(row));
    await index.stats(table);
  }
  const { advice, ...report } = await look({ shards: 1, replicas: 2 });
  expect(report).toEqual({
    tables: 3,
    rows: 3,
    bytes: expect.any(Number),
    cluster: {
      version: '3.5.0',
      status: 'green',
      indices: 2,
      shards: 2,
      missing_shards: 0,
      wanted: { shards: 1, replicas: 2 },
      moves: 0,
      watermarks: { low: '85%', high: '90%', flood_stage: '95%' },
      nodes: [{ name: 'Node 1', shards: 2, used: 0.2, free_bytes: 8e6, total_bytes: 1e7, beyond: null }],
    },
  });
  expect(advice).toEqual([]);
});

test('its advice: parts that are not served, full disks, many shards, other shards', async () => {
  await index.createTable('alone', { dimension: 2 });
  expect(await kindsOf({ shards: 2 })).toEqual(['other_shards']);
  fake.fill(1_000, 86);
  expect((await look()).advice).toEqual([{ kind: 'disk_beyond', node: 'Node 1', used: 0.86, watermark: 'low' }]);
  fake.fill(1, 96);
  expect((await look()).advice).toEqual([
    { kind: 'disk_beyond', node: 'Node 1', used: 0.96, watermark: 'flood_stage' },
    { kind: 'many_shards', shards: 1, most: 1 },
  ]);
  fake.fill(1_000, 20);
  fake.breakShards('studio-i-alone-1', 'away');
  expect(await kindsOf()).toEqual(['parts_missing']);
});

test('indices of moves are counted, and those that are left over for long are advised about', async () => {
  await index.createTable('alone', { dimension: 2 });
  // One that is being filled; it has been made just now.
  await put('/studio-i-alone-m00000000', {});
  expect(await look()).toMatchObject({ cluster: { indices: 2, moves: 1 }, advice: [] });
  // One that has left an index that it shared, and was not compared with it since.
  const left = { from: 'studio-i-s.x-1', atMs: Date.now() - 2 * 3_600_000, upTo: { 0: 1 } };
  await put('/studio-i-alone-1/_mapping', { _meta: { format: 1, dimension: 2, left } });
  expect(await look()).toMatchObject({ cluster: { moves: 2 }, advice: [{ kind: 'left_over', indices: 1 }] });
});

test('what the account may not see is left out', async () => {
  await index.createTable('alone', { dimension: 2 });
  fake.failNext(Infinity, 403, (_, path) => path !== '/' && !path.endsWith('/_count'));
  expect(await look()).toEqual({
    tables: 0,
    rows: 0,
    bytes: 0,
    cluster: expect.objectContaining({ status: null, watermarks: null, nodes: [] }),
    advice: [],
  });
  fake.failNext(0, 403);
  fake.version.number = '2.19.1';
  await expect(look()).rejects.toThrow('not supported');
});

test.each([
  ['85%', 0.85, null, true],
  ['85%', 0.84, 1, false],
  ['0.9', 0.9, null, true],
  ['10gb', 0.1, 10 * 1024 ** 3, true],
  ['10gb', 0.99, 11 * 1024 ** 3, false],
  ['512b', null, 100, true],
  ['1.5tb', null, null, false],
  ['85%', null, 1, false],
  ['nonsense', 1, 0, false],
])('a watermark of %s, a disk that is full to %s with %s free: beyond it is %s', (mark, used, free, expected) => {
  expect(isBeyond({ used, free }, mark)).toBe(expected);
});
