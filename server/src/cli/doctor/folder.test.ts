import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkDataFolder } from './folder.ts';

let above: string;
let folder: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'ai-studio-doctor-'));
  folder = join(above, 'data');
});
afterEach(() => rmSync(above, { recursive: true }));

const warnings = () => checkDataFolder(folder).filter(({ text }) => text.includes('mode'));

test('a data folder that others can look into is told of', () => {
  mkdirSync(folder);
  for (const mode of [0o755, 0o750, 0o770, 0o702]) {
    chmodSync(folder, mode);
    expect(warnings(), mode.toString(8)).toMatchObject([
      { level: 'warn', text: expect.stringContaining(`(mode ${mode.toString(8)})`) as string },
    ]);
  }
  // The second is what a PostgreSQL of another user passes through.
  for (const mode of [0o700, 0o711]) {
    chmodSync(folder, mode);
    expect(warnings(), mode.toString(8)).toEqual([]);
  }
});

test('of one that is not there yet, whatever its parent is like, nothing is told', () => {
  chmodSync(above, 0o755);
  expect(warnings()).toEqual([]);
});
