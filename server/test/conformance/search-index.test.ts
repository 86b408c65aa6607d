import { cp, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lanceStorageOf, type S3Options } from '../../src/adapters/distributed/s3-storage.ts';
import { createS3TableFiles } from '../../src/adapters/distributed/s3-table-files.ts';
import { expect, test } from 'vitest';
import { filesBelow } from '../../src/adapters/embedded/lance-index/files.ts';
import { createFolderFiles, createLanceIndex } from '../../src/adapters/embedded/lance-index/index.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import { startFakeS3, type FakeS3 } from '../fakes/s3-server.ts';
import { isLong } from '../support/long.ts';
import { silent } from '../support/postgres.ts';
import { searchIndexConformance } from './search-index.ts';

searchIndexConformance('LanceDB in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-index-'));
  return {
    open: () =>
      createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log: silent }),
    destroy: (table) => rm(join(folder, `${table}.lance`), { recursive: true }),
    async damage(table) {
      const data = join(folder, `${table}.lance`, 'data');
      for (const file of await readdir(data)) {
        const { size } = await stat(join(data, file));
        await truncate(join(data, file), Math.floor(size / 2));
      }
      return true;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

const optionsOf = (s3: FakeS3): S3Options => ({
  endpoint: s3.url,
  bucket: s3.bucket,
  prefix: 'of/studio/',
  region: 'us-east-1',
  accessKeyId: s3.accessKeyId,
  secretAccessKey: s3.secretAccessKey,
});

const openOn = (options: S3Options) =>
  createLanceIndex({
    storage: lanceStorageOf(options),
    files: createS3TableFiles(options),
    cacheMb: 64,
    log: silent,
  });

searchIndexConformance('LanceDB on S3', async () => {
  const s3 = await startFakeS3();
  const options = optionsOf(s3);
  const keysOf = (table: string, part = '') => s3.keys(`of/studio/index/${table}.lance/${part}`);
  return {
    open: () => openOn(options),
    async destroy(table) {
      for (const key of keysOf(table)) s3.remove(key);
    },
    async damage(table) {
      for (const key of keysOf(table, 'data/')) await s3.cut(key);
      return true;
    },
    close: () => s3.close(),
  };
});

test('object storage that is away, or refuses the key, is unavailable and not lost; once it is back all is there', async () => {
  const s3 = await startFakeS3();
  const options = optionsOf(s3);
  const index = openOn(options);
  const stranger = openOn({ ...options, secretAccessKey: 'wrong' });
  const vector = Float32Array.of(1, 0);
  const row = { rowId: 'a', chunkId: 'a', documentId: 'a', vector, terms: ['x'], stems: [], fields: {} };
  const search = (one: SearchIndex) => one.nearest('t', { vector, limit: 1 });
  try {
    await index.createTable('t', { dimension: 2 });
    await index.add('t', [row]);
    await expect(search(stranger)).rejects.toMatchObject({ kind: 'unavailable' });
    s3.failNext(Infinity);
    await expect(search(index)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(index.add('t', [{ ...row, rowId: 'b' }])).rejects.toMatchObject({ kind: 'unavailable' });
    s3.failNext(0);
    expect(await search(index)).toMatchObject([{ rowId: 'a' }]);
  } finally {
    await index.close();
    await stranger.close();
    await s3.close();
  }
});

test('a table of which any one file is cut off or gone answers right, or says that it is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-damage-'));
  const [whole, broken] = [join(folder, 'whole'), join(folder, 'broken')];
  const openIn = (path: string) =>
    createLanceIndex({ storage: { uri: path }, files: createFolderFiles(path), cacheMb: 32, log: silent });
  const rows = Array.from({ length: 200 }, (_, at) => ({
    rowId: `r${at}`,
    chunkId: `c${at}`,
    documentId: `d${at % 9}`,
    vector: Float32Array.of(Math.cos(at), Math.sin(at)),
    terms: [`t${at}`, 'all'],
    stems: [],
    fields: { part: at % 3 },
  }));
  const searches = (index: SearchIndex) => [
    () => index.nearest('t', { vector: Float32Array.of(1, 0), limit: 3 }),
    () => index.keyword('t', { terms: ['t7'], stems: [], limit: 3 }),
    () => index.keyword('t', { terms: ['t9'], stems: [], limit: 3, filter: { op: 'in', field: 'part', values: [0] } }),
  ];
  const answers = (index: SearchIndex) =>
    Promise.all(
      searches(index).map((search) =>
        search().then(
          (hits) => hits.map(({ rowId }) => rowId),
          (error: unknown) => {
            expect(error).toMatchObject({ kind: 'lost' });
            return null;
          },
        ),
      ),
    );
  try {
    const index = openIn(whole);
    await index.createTable('t', { dimension: 2 });
    await index.add('t', rows);
    await index.maintain('t');
    const right = await answers(index);
    await index.close();
    let lost = 0;
    for (const [nth, path] of (await filesBelow(join(whole, 't.lance'))).toSorted().entries()) {
      // Without the newest version an older one is there, which is right in its way.
      if (path.startsWith('_versions')) continue;
      // Each file in one of the ways, the next one in the other; in the long run in both.
      for (const how of ['gone', 'cut'].filter((_, way) => isLong || way === nth % 2)) {
        await cp(whole, broken, { recursive: true });
        const file = join(broken, 't.lance', path);
        if (how === 'gone') await rm(file);
        else await truncate(file, Math.floor((await stat(file)).size / 2));
        const damaged = openIn(broken);
        for (const [at, found] of (await answers(damaged)).entries()) {
          if (found === null) lost++;
          else expect(found, `${how} ${path}`).toEqual(right[at]);
        }
        await damaged.close();
        await rm(broken, { recursive: true });
      }
    }
    expect(lost).toBeGreaterThan(4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('what writes made obsolete is removed after a while though nobody writes any more, also by the next process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-obsolete-'));
  const openIn = (retentionMs: number) =>
    createLanceIndex({
      storage: { uri: folder },
      files: createFolderFiles(folder),
      cacheMb: 32,
      retentionMs,
      log: silent,
    });
  const rowsOf = (from: number) =>
    Array.from({ length: 20 }, (_, at) => ({
      rowId: `r${from + at}`,
      chunkId: 'c',
      documentId: 'd',
      vector: Float32Array.of(1, at),
      terms: ['word'],
      stems: [],
      fields: {},
    }));
  const versions = async () =>
    (await filesBelow(join(folder, 't.lance'))).filter((path) => path.startsWith('_versions')).length;
  const write = async (index: SearchIndex, from: number) => {
    for (let at = 0; at < 3; at++) await index.add('t', rowsOf(from + at * 20));
    await index.maintain('t');
  };
  const cleaned = () => expect.poll(versions, { interval: 50 }).toBeLessThan(3);
  try {
    const index = openIn(3_600_000);
    await index.createTable('t', { dimension: 2 });
    await write(index, 0);
    await index.close();
    expect(await versions()).toBeGreaterThan(5);
    const next = openIn(100);
    await next.stats('t');
    await cleaned();
    await write(next, 60);
    await cleaned();
    expect(await next.stats('t')).toMatchObject({ rows: 120 });
    await next.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
