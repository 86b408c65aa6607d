import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyOut } from './copies.ts';
import { filesBelow, type TableFiles } from './files.ts';

const VERSION = '_versions/18446744073709551614.manifest';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'ai-studio-copies-')), 'copy');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

/** A table of these files, of which some are gone as soon as they were listed. */
function tableOf(paths: readonly string[], isGone: (path: string) => boolean): TableFiles {
  return {
    list: async () => paths,
    async download(_table, path, file) {
      if (isGone(path)) return false;
      await writeFile(file, path);
      return true;
    },
    async upload() {
      throw new Error('not called');
    },
    async remove() {
      throw new Error('not called');
    },
  };
}

describe('a copy of a table', () => {
  test('leaves out what is still being written, in every folder', async () => {
    const unfinished = ['data/.tmpuRAE4h', '_indices/7f/.tmpa0', 'data/1.lance#1'];
    const files = tableOf([VERSION, 'data/1.lance', ...unfinished], (path) => unfinished.includes(path));
    await copyOut(files, 'rows', folder);
    expect((await filesBelow(folder)).toSorted()).toEqual([VERSION, 'data/1.lance']);
  });

  test('begins anew where a file of it went, and says so where that goes on', async () => {
    let left = 2;
    await copyOut(
      tableOf([VERSION, 'data/1.lance'], (path) => path === 'data/1.lance' && left-- > 0),
      'rows',
      folder,
    );
    expect((await filesBelow(folder)).toSorted()).toEqual([VERSION, 'data/1.lance']);
    await rm(folder, { recursive: true });
    const never = tableOf([VERSION, 'data/1.lance'], (path) => path === 'data/1.lance');
    await expect(copyOut(never, 'rows', folder)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
