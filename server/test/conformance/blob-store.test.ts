import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderBlobStore } from '../../src/adapters/embedded/folder-blob-store.ts';
import { createS3BlobStore } from '../../src/adapters/distributed/s3-blob-store.ts';
import type { S3Options } from '../../src/adapters/distributed/s3-storage.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import { startFakeS3, type FakeS3 } from '../fakes/s3-server.ts';

let folder: string;
let s3: FakeS3;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-blobs-'));
  s3 = await startFakeS3();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const s3Options = (): S3Options => ({
  endpoint: s3.url,
  bucket: s3.bucket,
  prefix: 'some/where/',
  region: 'us-east-1',
  accessKeyId: s3.accessKeyId,
  secretAccessKey: s3.secretAccessKey,
});

interface Kind {
  readonly name: string;
  readonly open: () => BlobStore;
  /** What is left of uploads that were cut off. */
  readonly left: () => Promise<number>;
}
const kinds: readonly Kind[] = [
  {
    name: 'a folder',
    open: () => createFolderBlobStore(join(folder, 'store')),
    left: async () => (await readdir(join(folder, 'store', '.incoming'))).length,
  },
  { name: 'S3', open: () => createS3BlobStore(s3Options()), left: async () => s3.openUploads() },
];

describe.each(kinds)('blobs in $name', ({ open, left }) => {
  let store: BlobStore;
  beforeAll(() => void (store = open()));
  afterAll(() => store.close());

  const bytes = (text: string) => Readable.from([Buffer.from(text)]);
  const read = async (key: string) => {
    const found = await store.get(key);
    return found === null ? null : (await buffer(found)).toString('utf8');
  };

  test('are kept whole and given back', async () => {
    expect(await store.put('a/b-1/file_2.bin', bytes('가나다'))).toBe(9);
    expect(await read('a/b-1/file_2.bin')).toBe('가나다');
    expect(await store.put('a/b-1/file_2.bin', bytes('new'))).toBe(3);
    expect(await read('a/b-1/file_2.bin')).toBe('new');
    expect(await store.put('a/empty', Readable.from([]))).toBe(0);
    expect(await read('a/empty')).toBe('');
  });

  test('come into a file', async () => {
    await store.put('f', bytes('x'));
    const path = join(folder, 'copy');
    expect(await store.toFile('f', path)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('x');
    expect(await store.toFile('none', path)).toBe(false);
  });

  test('are gone once they are deleted, and deleting again is no failure', async () => {
    await store.put('gone', bytes('x'));
    await store.delete('gone');
    await store.delete('gone');
    expect(await read('gone')).toBeNull();
    expect(await read('never/there')).toBeNull();
  });

  test('what breaks off leaves what was there, and no rest', async () => {
    await store.put('kept', bytes('old'));
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('cut');
      })(),
    );
    await expect(store.put('kept', broken)).rejects.toThrow('cut');
    expect(await read('kept')).toBe('old');
    expect(await left()).toBe(0);
  });

  test('what breaks off after many parts leaves what was there, and no rest', async () => {
    await store.put('large', bytes('old'));
    const broken = Readable.from(
      (function* () {
        for (let at = 0; at < 17; at++) yield Buffer.alloc(1024 * 1024, at);
        throw new Error('cut late');
      })(),
    );
    await expect(store.put('large', broken)).rejects.toThrow('cut late');
    expect(await read('large')).toBe('old');
    expect(await left()).toBe(0);
  });

  test.each([8, 8.5, 16])('%d MiB come back as they were', async (size) => {
    const content = randomBytes(size * 1024 * 1024);
    const chunks = function* () {
      for (let at = 0; at < content.length; at += 100_001) yield content.subarray(at, at + 100_001);
    };
    expect(await store.put('parts', Readable.from(chunks()))).toBe(content.length);
    expect((await buffer((await store.get('parts')) ?? Readable.from([]))).equals(content)).toBe(true);
    const path = join(folder, 'parts');
    expect(await store.toFile('parts', path)).toBe(true);
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  test('a file is stored whole, and closed', async () => {
    const path = join(folder, 'to store');
    await writeFile(path, '가나다');
    expect(await store.putFile('file', path)).toBe(9);
    expect(await read('file')).toBe('가나다');
    await expect(store.putFile('file', join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    // Nobody begins to read it.
    await expect(store.putFile('../out', path)).rejects.toThrow('no key');
    expect(await read('file')).toBe('가나다');
    const descriptors = await readdir('/proc/self/fd');
    const targets = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    expect(targets).not.toContain(path);
  });

  test('one that is written while it is read is read as it was', async () => {
    await store.put('same', bytes('a'.repeat(100_000)));
    const reading = await store.get('same');
    await store.put('same', bytes('b'));
    expect((await buffer(reading ?? Readable.from([]))).length).toBe(100_000);
  });

  test.each(['../out', '/etc/passwd', 'a/../b', 'a//b', '', '.hidden', 'a/.incoming', 'a\\b', 'a b'])(
    'the key %j is refused',
    async (key) => {
      await expect((async () => store.put(key, bytes('x')))()).rejects.toThrow('no key');
      await expect((async () => store.get(key))()).rejects.toThrow('no key');
    },
  );
});

test('what a killed process had begun to write goes in time, and nothing else', async () => {
  const own = join(folder, 'left');
  const first = createFolderBlobStore(own);
  await first.put('kept', Readable.from([Buffer.from('x')]));
  await first.close();
  const old = new Date(Date.now() - 48 * 3_600_000);
  for (const name of ['old', 'new']) await writeFile(join(own, '.incoming', name), 'half');
  for (const path of ['.incoming/old', 'kept']) await utimes(join(own, path), old, old);
  await createFolderBlobStore(own).close();
  expect(await readdir(join(own, '.incoming'))).toEqual(['new']);
  expect(await readFile(join(own, 'kept'), 'utf8')).toBe('x');
});

describe('S3', () => {
  const put = (store: BlobStore) => store.put('x', Readable.from([Buffer.from('abc')]));

  test('a storage that is busy for a moment is asked again', async () => {
    const store = createS3BlobStore(s3Options());
    s3.failNext(2);
    expect(await put(store)).toBe(3);
    s3.failNext(1);
    expect((await buffer((await store.get('x')) ?? Readable.from([]))).toString()).toBe('abc');
  });

  test('keys that are wrong, and a storage that is not there, are told apart from a file that is not there', async () => {
    const wrong = createS3BlobStore({ ...s3Options(), secretAccessKey: 'no' });
    await expect(put(wrong)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(wrong.get('x')).rejects.toMatchObject({ code: 'unavailable' });
    const elsewhere = createS3BlobStore({ ...s3Options(), bucket: 'none' });
    await expect(put(elsewhere)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('everything lies below the prefix', async () => {
    await put(createS3BlobStore(s3Options()));
    expect(s3.keys()).toContain('some/where/blobs/x');
    expect(s3.keys().filter((key) => !key.startsWith('some/where/blobs/'))).toEqual([]);
  });

  test('a file is never held in memory as a whole', async () => {
    let waiting = 0;
    let most = 0;
    const content = Readable.from(
      (async function* () {
        for (let at = 0; at < 32; at++) {
          most = Math.max(most, ++waiting);
          yield Buffer.alloc(1024 * 1024);
        }
      })(),
    );
    s3.failNext(Infinity, (method, path) => {
      // A part that arrived: what it held is given free.
      if (method === 'PUT' && path.endsWith('/streamed')) waiting = 0;
      return false;
    });
    expect(await createS3BlobStore(s3Options()).put('streamed', content)).toBe(32 * 1024 * 1024);
    expect(most).toBeLessThan(30);
  });
});
