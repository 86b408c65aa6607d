import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockInstance, afterEach, beforeEach, expect, test, vi } from 'vitest';

const { ensureServer } = (await import(new URL('server.mjs', import.meta.url).href)) as {
  ensureServer(root: string, node: string): Promise<void>;
};

/** A bundle that says of which source it is made; it fails where the source says so. */
const builder = `
  import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  const [, , folder] = process.argv;
  const source = readFileSync('server/src/run.ts', 'utf8');
  if (source.includes('broken')) { console.error('run.ts is broken'); process.exit(1); }
  mkdirSync(folder);
  writeFileSync(folder + '/index.mjs', 'export const bundled = ' + JSON.stringify(source));
`;

let root: string;
let said: MockInstance<typeof process.stderr.write>;
const put = (name: string, text: string) => writeFileSync(join(root, name), text);
const build = () => ensureServer(root, process.execPath);
const bundles = () => (existsSync(join(root, '.runtime/server')) ? readdirSync(join(root, '.runtime/server')) : []);
const bundled = (name: string) => readFileSync(join(root, '.runtime/server', name, 'index.mjs'), 'utf8');

beforeEach(() => {
  said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  root = mkdtempSync(join(tmpdir(), 'ensure-server-'));
  for (const folder of ['server/src', 'contract/src', 'packages/one/src', 'tools'])
    mkdirSync(join(root, folder), { recursive: true });
  cpSync(new URL('../server/src/bundle.mjs', import.meta.url), join(root, 'server/src/bundle.mjs'));
  put('server/src/run.ts', 'one');
  put('package-lock.json', '{}');
  put('tools/build-server.mjs', builder);
});
afterEach(() => {
  said.mockRestore();
  rmSync(root, { recursive: true, force: true });
});

test('the server is bundled once for each state of its sources; tests of them are of no weight', async () => {
  await Promise.all([build(), build()]);
  await build();
  expect(bundles()).toHaveLength(1);
  put('server/src/run.test.ts', 'of no weight');
  await build();
  expect(bundles()).toHaveLength(1);
  for (const name of [
    'server/src/added.ts',
    'contract/src/keys.ts',
    'packages/one/src/index.ts',
    'package-lock.json',
  ]) {
    const before = bundles();
    put(name, 'changed');
    await build();
    expect(
      bundles().filter((one) => !before.includes(one)),
      name,
    ).toHaveLength(1);
  }
});

test('a service that runs keeps its bundle for a while: only old ones go', async () => {
  for (let version = 1; version <= 7; version++) {
    put('server/src/run.ts', 'v'.repeat(version));
    await build();
  }
  const versions = bundles().map((name) => /v+/.exec(bundled(name))?.[0].length ?? 0);
  expect(versions.toSorted((a, b) => a - b)).toEqual([4, 5, 6, 7]);
});

test('sources that cannot be bundled are told of, leave nothing, and are tried again', async () => {
  put('server/src/run.ts', 'broken');
  await build();
  expect(bundles()).toEqual([]);
  expect(said.mock.calls.join('')).toContain('run.ts is broken');
  put('server/src/run.ts', 'mended');
  await build();
  expect(bundles()).toHaveLength(1);
});

test('a copy without the sources starts without a bundle', async () => {
  rmSync(join(root, 'contract'), { recursive: true });
  await build();
  expect(bundles()).toEqual([]);
});
