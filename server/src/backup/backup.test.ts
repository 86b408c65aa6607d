import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/postgres.ts';
import { backUp, restore } from './index.ts';

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
const backUpOwn = (withKey = true, hasFiles = true) =>
  backUp({ dataDir, hasFiles, copyRowsOut }, { folder: copy, withKey }, none);

/** Into another data folder; what happened to its database stands in `asked`. */
function restoreTo(to: string, { made = ['0001'], empty = true } = {}) {
  const asked: string[] = [];
  const restoring = restore(
    {
      dataDir: to,
      migrations: ['0001', '0002'],
      migrationsOf: () => Promise.resolve(made),
      openDatabase: () =>
        Promise.resolve({
          fill(from, names) {
            asked.push(`${names.join()} ${readdirSync(from).join()}`);
            return Promise.resolve(empty);
          },
          close: () => Promise.resolve(void asked.push('close')),
        }),
    },
    copy,
    none,
  );
  return { asked, restoring };
}

test('an installation comes back with its rows, files and key; files that were being written do not', async () => {
  expect(await backUpOwn()).toEqual({ folder: copy, tables: 1, files: true, key: true });
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
  const failing = backUp({ dataDir, hasFiles: true, copyRowsOut: fails }, { folder: copy, withKey: true }, none);
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
