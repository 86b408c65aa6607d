import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProcessFolder } from './process-folder.ts';

test('what processes left that are no more is removed, and nothing of those that live', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'ai-studio-own-'));
  // Numbers of processes are never so large.
  const [dead, living, own] = ['999999999', String(process.ppid), String(process.pid)];
  for (const name of [dead, living, own]) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, 'recording'), 'x');
  }
  // One of the same number, before this one began.
  await writeFile(join(parent, own, 'older'), 'x');
  await utimes(join(parent, own, 'older'), 1, 1);
  expect(await openProcessFolder(parent)).toBe(join(parent, own));
  expect((await readdir(parent)).toSorted()).toEqual([living, own].toSorted());
  expect(await readdir(join(parent, own))).toEqual(['recording']);
  expect(await readdir(join(parent, living))).toEqual(['recording']);
  await rm(parent, { recursive: true });
});
