import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSecrets } from './secret-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'studio-secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a key is made at the first start, for its owner only, and is there at the next', () => {
  const folder = join(dataDir, 'new');
  const sealed = openSecrets({ dataDir: folder, configured: null }).seal('text', 'place');
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(openSecrets({ dataDir: folder, configured: null }).open(sealed, 'place')).toBe('text');
});

test("the operator's key needs no file", () => {
  const sealed = openSecrets({ dataDir, configured: 'a long passphrase' }).seal('text', 'place');
  expect(() => statSync(join(dataDir, 'secret.key'))).toThrow('ENOENT');
  expect(() => openSecrets({ dataDir, configured: null }).open(sealed, 'place')).toThrow('another key');
});

test('a file that holds no key is not taken for one, nor written over', () => {
  writeFileSync(join(dataDir, 'secret.key'), 'oops');
  expect(() => openSecrets({ dataDir, configured: null })).toThrow('does not hold a key');
});
