import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { givenCores } from './cores.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ai-studio-cores-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Cores of a machine with eight, whose files say this. */
function coresWith(groups: string, files: Readonly<Record<string, string>>): number {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'tree', path)), { recursive: true });
    writeFileSync(join(folder, 'tree', path), text);
  }
  writeFileSync(join(folder, 'groups'), groups);
  return givenCores({ groups: join(folder, 'groups'), tree: join(folder, 'tree') }, 8);
}

test('without limits, or without control groups, they are those of the machine', () => {
  expect(coresWith('0::/\n', { 'cpu.max': 'max 100000\n' })).toBe(8);
  expect(coresWith('4:cpu,cpuacct:/\n', { 'cpu/cpu.cfs_quota_us': '-1\n', 'cpu/cpu.cfs_period_us': '100000\n' })).toBe(
    8,
  );
  expect(givenCores({ groups: join(folder, 'none'), tree: folder }, 8)).toBe(8);
});

test('a limit of version 2 counts, also one of a group above', () => {
  expect(coresWith('0::/a/b\n', { 'a/b/cpu.max': '300000 100000\n' })).toBe(3);
  expect(coresWith('0::/a/b\n', { 'a/cpu.max': '200000 100000\n' })).toBe(2);
});

test('a limit of version 1 counts, also where the path is that of the machine outside the container', () => {
  const limit = (path: string, quota: string) => ({
    [`${path}/cpu.cfs_quota_us`]: quota,
    [`${path}/cpu.cfs_period_us`]: '100000\n',
  });
  const groups = '9:memory:/x\n4:cpu,cpuacct:/machine/container\n0::/\n';
  expect(coresWith(groups, limit('cpu,cpuacct', '450000\n'))).toBe(4);
  expect(coresWith(groups.replace('cpu,cpuacct', 'cpu'), limit('cpu/machine', '250000\n'))).toBe(2);
});

test('a part of a core is one, and a limit beyond the machine is none', () => {
  expect(coresWith('0::/\n', { 'cpu.max': '50000 100000\n' })).toBe(1);
  expect(coresWith('0::/\n', { 'cpu.max': '6400000 100000\n' })).toBe(8);
});
