import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSecretKey } from './secret-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'studio-secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a key is made at the first start, for its owner only, and is there at the next', () => {
  const folder = join(dataDir, 'new');
  const key = readSecretKey(folder);
  expect(key).toHaveLength(32);
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret.key']);
  expect(readSecretKey(folder)).toEqual(key);
  expect(readSecretKey(dataDir)).not.toEqual(key);
});

test('a file that holds no key is not taken for one, nor written over', () => {
  writeFileSync(join(dataDir, 'secret.key'), 'oops');
  expect(() => readSecretKey(dataDir)).toThrow('does not hold a key');
});
