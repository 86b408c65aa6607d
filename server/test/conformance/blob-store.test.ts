import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderBlobStore } from '../../src/adapters/embedded/folder-blob-store.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ai-studio-blobs-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const stores: readonly [string, () => BlobStore][] = [['a folder', () => createFolderBlobStore(join(folder, 'store'))]];

describe.each(stores)('blobs in %s', (_name, open) => {
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
    expect(await readdir(join(folder, 'store', '.incoming'))).toEqual([]);
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
