import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenSearchIndex } from '../../src/adapters/distributed/opensearch-index/index.ts';
import type { IndexFilter, IndexRow, SearchIndex } from '../../src/ports/search-index.ts';
import { createClient } from '../../src/adapters/distributed/opensearch-index/client.ts';
import { reshardTables } from '../../src/adapters/distributed/opensearch-index/reshard.ts';
import {
  dropAll,
  ownIndices,
  removeSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from '../../src/adapters/distributed/opensearch-index/snapshots.ts';
import { readReport } from '../../src/adapters/distributed/opensearch-index/report.ts';
import { readCluster, readFigures } from '../../src/adapters/distributed/opensearch-index/state.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { startFakeOpenSearch, type FakeOpenSearch } from '../fakes/opensearch-server.ts';
import { inFamily, optionsFor } from './opensearch.ts';
import { sharedIndexBehaviour } from './opensearch-shared.ts';
import { searchIndexConformance } from './search-index.ts';

// As collections lie; those with an index of their own are below, and on a real one.
searchIndexConformance('OpenSearch, a fake, tables that share an index', async () => {
  const fake = await startFakeOpenSearch();
  return {
    open: () => inFamily(createOpenSearchIndex(optionsFor(fake.url, 'studio'))),
    destroy: (table) => Promise.resolve(fake.remove(fake.behind(`studio-t-${table}`))),
    damage(table) {
      fake.breakShards(fake.behind(`studio-t-${table}`), 'corrupt');
      return Promise.resolve(true);
    },
    close: () => fake.close(),
  };
});

sharedIndexBehaviour('OpenSearch, a fake', startFakeOpenSearch);

const row = (id: string, more: Partial<IndexRow> = {}): IndexRow => ({
  rowId: id,
  chunkId: `chunk-${id}`,
  documentId: `document-${id}`,
  vector: Float32Array.of(1, 2),
  terms: ['word'],
  stems: [],
  fields: {},
  ...more,
});

describe('OpenSearch, a fake that has troubles', () => {
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

  const behind = (table: string) => `studio-i-${table}-1`;
  const filled = async (...ids: readonly string[]) => {
    await index.createTable('t', { dimension: 2 });
    await index.add(
      't',
      ids.map((id) => row(id)),
    );
  };
  const found = async (mark?: number) =>
    (await index.keyword('t', { terms: ['word'], stems: [], limit: 99, mark })).map(({ rowId }) => rowId).toSorted();
  const asked = (call: string) => fake.requests.filter((one) => one.endsWith(call)).length;

  test('rows that it had no room for are sent again, and only those', async () => {
    await filled();
    fake.refuseRows(3);
    await index.add(
      't',
      ['a', 'b', 'c', 'd'].map((id) => row(id)),
    );
    expect(await found()).toEqual(['a', 'b', 'c', 'd']);
    expect(asked('/_bulk')).toBe(2);
  });

  test('what it has no room for again and again is given up, and what is there of it is taken back', async () => {
    await filled('kept');
    // Both rows by five attempts, and one of them by the sixth, which is the last.
    fake.refuseRows(11);
    await expect(index.add('t', [row('a'), row('b')])).rejects.toMatchObject({ kind: 'unavailable', table: 't' });
    expect(await found()).toEqual(['kept']);
    await index.add('t', [row('a'), row('b')]);
    expect(await found()).toEqual(['a', 'b', 'kept']);
  });

  test('an overloaded server is asked again, within bounds', async () => {
    await filled('a');
    fake.failNext(2, 429);
    expect(await found()).toEqual(['a']);
    fake.failNext(Infinity, 429);
    await expect(found()).rejects.toMatchObject({ kind: 'unavailable' });
    fake.failNext(0, 429);
    expect(await found()).toEqual(['a']);
  });

  test('a search that no shard answers, as it moves to another node in that moment, is asked once more', async () => {
    await filled('a');
    const ofSearch = (_: string, path: string) => path.endsWith('/_search');
    fake.failNext(1, 503, ofSearch);
    expect(await found()).toEqual(['a']);
    fake.failNext(2, 503, ofSearch);
    await expect(found()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test.each([401, 403])('an account that is refused (%i) is no lost table', async (status) => {
    await filled('a');
    fake.failNext(Infinity, status);
    await expect(found()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('shards that nobody serves: lost where their files are broken, unavailable where their node is away', async () => {
    await filled('a');
    fake.breakShards(behind('t'), 'away');
    for (const work of [
      () => found(),
      () => index.nearest('t', { vector: Float32Array.of(1, 0), limit: 1 }),
      () => index.add('t', [row('b')]),
      () => index.remove('t', { documentIds: ['x'] }),
    ])
      await expect(work()).rejects.toMatchObject({ kind: 'unavailable' });
    fake.repairShards(behind('t'));
    expect(await found()).toEqual(['a']);
    fake.breakShards(behind('t'), 'corrupt');
    await expect(found()).rejects.toMatchObject({ kind: 'lost' });
  });

  test('nothing is written to an index that is gone, and none is made by the way', async () => {
    await filled('a');
    fake.remove(behind('t'));
    await expect(index.add('t', [row('b')])).rejects.toMatchObject({ kind: 'lost' });
    expect(fake.indices()).toEqual([]);
  });

  test('searches with a mark that was reached look for no other writes, and a write is not looked for by itself', async () => {
    await filled('a');
    const before = asked('/_refresh');
    await index.add('t', [row('b')]);
    expect(asked('/_refresh')).toBe(before);
    expect(await found(5)).toEqual(['a', 'b']);
    expect(await found(5)).toEqual(['a', 'b']);
    expect(await found(4)).toEqual(['a', 'b']);
    expect(asked('/_refresh')).toBe(before + 1);
    await found(6);
    expect(asked('/_refresh')).toBe(before + 2);
  });

  test('of searches at one time after a write each finds it, and not only the one that looks for it first', async () => {
    await filled('a');
    await found(7);
    await index.add('t', [row('b')]);
    expect(await Promise.all([found(7), found(7), found(7)])).toEqual(Array.from({ length: 3 }, () => ['a', 'b']));
  });

  test('a vector of zeros is kept for words, and finds nothing', async () => {
    await filled();
    await index.add('t', [row('zero', { vector: new Float32Array(2) }), row('one')]);
    expect(await found()).toEqual(['one', 'zero']);
    const near = (vector: Float32Array) => index.nearest('t', { vector, limit: 9 });
    expect((await near(Float32Array.of(1, 2))).map(({ rowId }) => rowId)).toEqual(['one']);
    expect(await near(new Float32Array(2))).toEqual([]);
    expect(await index.derive('t', [{ from: 'zero', rowId: 'zero-2', fields: {} }])).toEqual([]);
    expect(await found()).toEqual(['one', 'zero', 'zero-2']);
  });

  test('values, words and ids that are too long for it are found all the same', async () => {
    const long = '가'.repeat(60_000);
    await filled();
    await index.add('t', [
      row('x'.repeat(900), { terms: ['word', long], fields: { note: `${long}needle${long}` } }),
      row('other', { fields: { note: `${long}other` } }),
    ]);
    const find = async (filter: IndexFilter) =>
      (await index.keyword('t', { terms: ['word'], stems: [], limit: 9, filter })).map(({ rowId }) => rowId.length);
    expect(await find({ op: 'in', field: 'note', values: [`${long}needle${long}`] })).toEqual([900]);
    expect(await find({ op: 'in', field: 'note', values: [long] })).toEqual([]);
    expect(await find({ op: 'contains', field: 'note', value: 'needle' })).toEqual([900]);
    expect(await find({ op: 'gt', field: 'note', value: '가' })).toHaveLength(2);
    expect(await index.keyword('t', { terms: [long], stems: [], limit: 9 })).toHaveLength(1);
    await index.remove('t', { rowIds: ['x'.repeat(900)] });
    expect(await found()).toEqual(['other']);
  });

  test('a question of thousands of words and a hundred conditions is answered', async () => {
    await filled('a');
    const words = Array.from({ length: 3_000 }, (_, at) => `w${at}`);
    const conditions = Array.from({ length: 100 }, (_, at): IndexFilter => ({ op: 'exists', field: `f${at}` }));
    const filter: IndexFilter = { op: 'not', of: { op: 'or', of: conditions } };
    const hits = await index.keyword('t', { terms: ['word', ...words], stems: words, limit: 5, filter });
    expect(hits).toHaveLength(1);
  });

  test.each([
    [{ distribution: 'elasticsearch', number: '3.5.0' }, 'no OpenSearch'],
    [{ distribution: 'opensearch', number: '2.19.1' }, '2.19.1 is not supported'],
    [{ distribution: 'opensearch', number: '4.0.0' }, '4.0.0 is not supported'],
  ])('a server that is %j is not worked with', async (version, words) => {
    Object.assign(fake.version, version);
    await expect(index.createTable('t', { dimension: 2 })).rejects.toThrow(words);
    expect(fake.indices()).toEqual([]);
    Object.assign(fake.version, { distribution: 'opensearch', number: '3.9.1' });
    await index.createTable('t', { dimension: 2 });
  });

  test('a copy of more rows than come at one time is whole', async () => {
    const ids = Array.from({ length: 1_100 }, (_, at) => `r${String(at).padStart(4, '0')}`);
    await filled(...ids);
    const folder = temporaryFolder();
    await index.copyOut('t', folder);
    await index.copyIn('back', folder);
    const back: string[] = [];
    for await (const piece of index.rows('back')) back.push(...piece.map(({ rowId }) => rowId));
    expect(back.toSorted()).toEqual(ids);
    rmSync(folder, { recursive: true });
  });

  test('a copy of another engine is none', async () => {
    await expect(index.copyIn('t', import.meta.dirname)).rejects.toMatchObject({ kind: 'lost' });
  });
});

test('a server that is away is unavailable; account and password are sent', async () => {
  const away = createOpenSearchIndex(optionsFor('http://127.0.0.1:9', 'studio'));
  await expect(away.tables()).rejects.toMatchObject({ kind: 'unavailable' });
  await away.close();
  let authorization: string | undefined;
  const server = createServer((request, response) => {
    ({ authorization } = request.headers);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const index = createOpenSearchIndex(optionsFor(url, 'studio', { username: 'studio', password: 'geheim' }));
  await expect(index.tables()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(authorization).toBe(`Basic ${Buffer.from('studio:geheim').toString('base64')}`);
  await index.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a server that takes requests and never answers is given up in the time for all attempts, and not asked anew', async () => {
  let requests = 0;
  const server = createServer(() => void requests++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(optionsFor(url, 'studio'));
  await expect(client.send({ method: 'GET', path: '/', timeoutMs: 1_000 })).rejects.toThrow('cannot be reached');
  expect(requests).toBe(1);
  server.closeAllConnections();
  await client.close();
  await new Promise((resolve) => server.close(resolve));
});

/** What a request is called by those who give rights. Source: OpenSearch, the transport actions behind its REST calls. */
const actions: readonly (readonly [RegExp, string])[] = [
  [/^GET \/$/, 'cluster:monitor/main'],
  [/^GET \/_cluster\/health/, 'cluster:monitor/health'],
  [/^GET \/_cluster\/settings$/, 'cluster:monitor/state'],
  [/^POST \/_cluster\/allocation\/explain$/, 'cluster:monitor/allocation/explain'],
  [/^GET \/_cat\/allocation$/, 'cluster:monitor/nodes/stats'],
  [/^PUT \/_snapshot\/[^/]+\/[^/]+$/, 'cluster:admin/snapshot/create'],
  [/^GET \/_snapshot\/[^/]+\/[^/]+$/, 'cluster:admin/snapshot/get'],
  [/^DELETE \/_snapshot\/[^/]+\/[^/]+$/, 'cluster:admin/snapshot/delete'],
  [/^POST \/_snapshot\/[^/]+\/[^/]+\/_restore$/, 'cluster:admin/snapshot/restore'],
  [/^POST \/_search\/scroll$/, 'indices:data/read/scroll'],
  [/^DELETE \/_search\/scroll$/, 'indices:data/read/scroll/clear'],
  [/^POST \/_aliases$/, 'indices:admin/aliases'],
  [/^GET \/(?:_alias\/[^/]+|[^/]+\/_alias)$/, 'indices:admin/aliases/get'],
  [/^PUT \/[^/_]+$/, 'indices:admin/create'],
  [/^PUT \/[^/]+\/_mapping$/, 'indices:admin/mapping/put'],
  [/^DELETE \/[^/_]+$/, 'indices:admin/delete'],
  [/^GET \/[^/_]+$/, 'indices:admin/get'],
  [/^POST \/[^/]+\/_bulk$/, 'indices:data/write/bulk'],
  [/^(?:POST|GET) \/[^/]+\/(?:_search|_count)$/, 'indices:data/read/search'],
  [/^POST \/[^/]+\/_mget$/, 'indices:data/read/mget'],
  [/^GET \/[^/]+\/_doc\/[^/]+$/, 'indices:data/read/get'],
  [/^PUT \/[^/]+\/_create\/[^/]+$/, 'indices:data/write/index'],
  [/^DELETE \/[^/]+\/_doc\/[^/]+$/, 'indices:data/write/delete'],
  [/^POST \/[^/]+\/_delete_by_query$/, 'indices:data/write/delete/byquery'],
  [/^POST \/[^/]+\/_refresh$/, 'indices:admin/refresh'],
  [/^POST \/[^/]+\/_forcemerge$/, 'indices:admin/forcemerge'],
  [/^GET \/[^/]+\/_stats\/[^/]+$/, 'indices:monitor/stats'],
];

/** Everything that a role allows, with `*` at its ends. */
function rightsOf(file: string): readonly string[] {
  const role = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/reference', file), 'utf8')) as {
    readonly cluster_permissions: readonly string[];
    readonly index_permissions: readonly { readonly allowed_actions: readonly string[] }[];
  };
  return [...role.cluster_permissions, ...role.index_permissions.flatMap(({ allowed_actions: all }) => all)];
}

test('what is asked of a server is what the roles for its account allow, and snapshots bring back what was there', async () => {
  const fake = await startFakeOpenSearch();
  const options = optionsFor(fake.url, 'studio', { ownIndexRows: 3, tablesPerIndex: 2, searchGraceMs: 10, shards: 2 });
  const index = createOpenSearchIndex(options);
  const mine = inFamily(index);
  for (const table of ['a', 'b', 'c']) await mine.createTable(table, { dimension: 2 });
  await index.createTable('alone', { dimension: 2 });
  for (const table of ['a', 'b', 'alone']) await index.add(table, [row('1'), row('2')]);
  await index.derive('a', [{ from: '1', rowId: '3', fields: {} }]);
  await index.remove('a', { documentIds: ['document-2'] });
  await index.add('b', [row('3'), row('4')]);
  for (const table of ['b', 'alone']) await index.maintain(table);
  await index.nearest('a', { vector: Float32Array.of(1, 0), limit: 1 });
  await index.keyword('a', { terms: ['word'], stems: [], limit: 1 });
  await reshardTables(
    { ...options, shards: 3, heldRows: 0 },
    (table) => table === 'alone',
    () => undefined,
  );
  fake.breakShards(fake.behind('studio-t-alone'), 'away');
  await expect(index.stats('alone')).rejects.toMatchObject({ kind: 'unavailable' });
  fake.repairShards(fake.behind('studio-t-alone'));
  await readCluster(options);
  await readFigures(options);
  await readReport(options);
  expect((await index.tables()).length).toBe(4);
  await index.dropTable('c');
  const plain = [...fake.requests];
  const place = { repository: 'kept', snapshot: 's' };
  await takeSnapshot(options, place);
  const there = await ownIndices(options);
  await dropAll(options);
  expect(fake.indices()).toEqual([]);
  expect(await restoreSnapshot(options, place)).toEqual({ indices: there.length, damaged: 0 });
  expect((await index.stats('b')).rows).toBe(4);
  await dropAll(options);
  await removeSnapshot(options, place);
  await expect(restoreSnapshot(options, place)).rejects.toThrow('snapshot_missing');
  await expect(takeSnapshot(options, { ...place, repository: 'absent' })).rejects.toThrow('[absent] missing');
  const snapshots = fake.requests.slice(plain.length);
  await index.close();
  await fake.close();
  const asked = (requests: readonly string[]) =>
    new Set(requests.map((one) => actions.find(([form]) => form.test(one))?.[1] ?? one));
  const isAllowed = (rights: readonly string[], action: string) =>
    rights.some((right) => (right.endsWith('*') ? action.startsWith(right.slice(0, -1)) : action === right));
  const role = rightsOf('opensearch-role.json');
  const more = rightsOf('opensearch-backup-role.json');
  expect([...asked(plain)].filter((action) => !isAllowed(role, action))).toEqual([]);
  expect([...asked(snapshots)].filter((action) => !isAllowed([...role, ...more], action))).toEqual([]);
  // And nothing more; a place that another process has claimed in the same moment is read.
  const needed = [...asked(fake.requests), 'indices:data/read/get'];
  const unused = [...role, ...more].filter((right) => !needed.some((action) => isAllowed([right], action)));
  expect(unused).toEqual([]);
});
