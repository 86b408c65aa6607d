import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/postgres.ts';
import { backUp, type IndexCopier, restore } from './index.ts';

let folder: string;
let dataDir: string;
let copy: string;
const none = () => undefined;
beforeEach(() => {
  folder = temporaryFolder();
  [dataDir, copy] = [join(folder, 'data'), join(folder, 'copies', 'one')];
  mkdirSync(join(dataDir, 'blobs', '.incoming'), { recursive: true });
  writeFileSync(join(dataDir, 'blobs', 'a'), 'A');
  writeFileSync(join(dataDir, 'blobs', '.incoming', 'half'), 'h');
  writeFileSync(join(dataDir, 'secret.key'), 'K');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function copyRowsOut(to: string, meanwhile: () => Promise<void>) {
  writeFileSync(join(to, 'people.copy'), 'rows');
  await meanwhile();
  return { tables: ['people'] };
}
const backUpOwn = (withKey = true, hasFiles = true, index: IndexCopier | null = null) =>
  backUp({ dataDir, hasFiles, copyRowsOut, index }, { folder: copy, withKey }, none);

/** Into another data folder; what happened to its database stands in `asked`. */
function restoreTo(to: string, { made = ['0001'], empty = true, freeIndex = true, kept = false } = {}) {
  const asked: string[] = [];
  const restoring = restore(
    {
      dataDir: to,
      migrations: ['0001', '0002'],
      requireFreeIndex: () => (freeIndex ? Promise.resolve() : Promise.reject(new Error('index in use'))),
      migrationsOf: () => Promise.resolve(made),
      openDatabase: () =>
        Promise.resolve({
          fill(from, names) {
            asked.push(`${names.join()} ${readdirSync(from).join()}`);
            return Promise.resolve(empty);
          },
          bringIndex(note) {
            asked.push(JSON.stringify(note));
            return Promise.resolve(note === null ? 'no note' : null);
          },
          checkIndex: () => Promise.resolve(kept),
          close: () => Promise.resolve(void asked.push('close')),
        }),
    },
    copy,
    none,
  );
  return { asked, restoring };
}

test('an installation comes back with its rows, files and key; files that were being written do not', async () => {
  expect(await backUpOwn()).toEqual({
    folder: copy,
    tables: 1,
    files: true,
    key: true,
    index: null,
    indexTrouble: null,
  });
  const to = join(folder, 'new');
  mkdirSync(to);
  const { asked, restoring } = restoreTo(to);
  await restoring;
  expect(asked).toEqual(['0001 people.copy', 'close']);
  expect(readdirSync(join(to, 'blobs'))).toEqual(['a']);
  expect(readFileSync(join(to, 'secret.key'), 'utf8')).toBe('K');
});

test('the key is left out unless it is asked for, and files where they lie elsewhere', async () => {
  expect(await backUpOwn(false, false)).toMatchObject({ files: false, key: false });
  expect(readdirSync(copy)).toEqual(['rows']);
});

test('a folder that holds something is no place for a copy, and a copy that fails leaves nothing', async () => {
  const fails = () => Promise.reject(new Error('disk full'));
  const failing = backUp(
    { dataDir, hasFiles: true, copyRowsOut: fails, index: null },
    { folder: copy, withKey: true },
    none,
  );
  await expect(failing).rejects.toThrow('disk full');
  expect(existsSync(copy) || existsSync(`${copy}.part`)).toBe(false);
  await backUpOwn();
  await expect(backUpOwn()).rejects.toMatchObject({ code: 'conflict' });
});

test('nothing is restored over an installation, nor from a newer version', async () => {
  await backUpOwn();
  const over = restoreTo(dataDir);
  await expect(over.restoring).rejects.toMatchObject({ code: 'conflict' });
  expect(over.asked).toEqual([]);
  const newer = restoreTo(join(folder, 'new'), { made: ['0001', '0003'] });
  await expect(newer.restoring).rejects.toMatchObject({ code: 'invalid_request' });
  const full = restoreTo(join(folder, 'new'), { empty: false });
  await expect(full.restoring).rejects.toMatchObject({ code: 'conflict' });
  expect(full.asked.at(-1)).toBe('close');
  expect(existsSync(join(folder, 'new', 'blobs'))).toBe(false);
});

test('the copy of the search index belongs to the copy: noted, brought back by its note, and removed where the copy fails', async () => {
  let discarded = 0;
  const note = { snapshot: 's' };
  const copier = (take: IndexCopier['take']): IndexCopier => ({
    take,
    discard: () => Promise.resolve(void discarded++),
  });
  const trouble = await backUpOwn(
    true,
    true,
    copier(() => Promise.resolve({ reason: 'away' })),
  );
  expect(trouble).toMatchObject({ index: null, indexTrouble: 'away' });
  const without = restoreTo(join(folder, 'without'));
  expect(await without.restoring).toEqual({ there: false, reason: null });
  rmSync(copy, { recursive: true });
  expect(
    await backUpOwn(
      true,
      true,
      copier(() => Promise.resolve({ note, name: 'r/s' })),
    ),
  ).toMatchObject({ index: 'r/s', indexTrouble: null });
  const { asked, restoring } = restoreTo(join(folder, 'with'));
  expect(await restoring).toEqual({ there: true, from: 'copy' });
  expect(asked).toEqual(['0001 people.copy', JSON.stringify(note), 'close']);
  writeFileSync(join(copy, 'search-index.json'), '{');
  expect(await restoreTo(join(folder, 'broken')).restoring).toEqual({ there: false, reason: 'no note' });
  // One that lies in object storage still is of another moment.
  expect(await restoreTo(join(folder, 'kept'), { kept: true }).restoring).toEqual({ there: true, from: 'storage' });
  // Nothing is begun where another index would be written over.
  const used = restoreTo(join(folder, 'used'), { freeIndex: false });
  await expect(used.restoring).rejects.toThrow('index in use');
  expect(used.asked).toEqual([]);
  expect(discarded).toBe(0);
  const failing = copier(() =>
    Promise.resolve({
      note: {
        toJSON: () => {
          throw new Error('disk full');
        },
      },
      name: 'r/s',
    }),
  );
  rmSync(copy, { recursive: true });
  await expect(backUpOwn(true, true, failing)).rejects.toThrow('disk full');
  expect(discarded).toBe(1);
});
