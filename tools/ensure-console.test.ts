import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockInstance, afterEach, beforeEach, expect, test, vi } from 'vitest';

const { ensureConsole } = (await import(new URL('console.mjs', import.meta.url).href)) as {
  ensureConsole(root: string, node: string): Promise<boolean>;
};

/** A build that writes how often it ran, and fails where a source says so. */
const builder = `
  import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  const [, , folder, stamp] = process.argv;
  mkdirSync(folder);
  writeFileSync(folder + '/half', '');
  if (readFileSync('src/main.tsx', 'utf8') === 'broken') { console.error('main.tsx is broken'); process.exit(1); }
  appendFileSync('../runs', '.');
  writeFileSync(folder + '/page', readFileSync('src/main.tsx'));
  writeFileSync(folder + '/.stamp', stamp);
`;

let root: string;
const put = (name: string, text: string) => writeFileSync(join(root, name), text);
const page = () => readFileSync(join(root, 'console/dist/page'), 'utf8');
const runs = () => readFileSync(join(root, 'runs'), 'utf8').length;
const build = () => ensureConsole(root, process.execPath);
let said: MockInstance<typeof process.stderr.write>;

beforeEach(() => {
  said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  root = mkdtempSync(join(tmpdir(), 'ensure-console-'));
  for (const folder of ['console/src', 'contract/src', 'docs/guide', 'tools'])
    mkdirSync(join(root, folder), { recursive: true });
  put('console/package.json', '{}');
  put('console/src/main.tsx', 'one');
  put('contract/src/keys.ts', '');
  put('package-lock.json', '{}');
  put('tools/build-console.mjs', builder);
});
afterEach(() => {
  said.mockRestore();
  rmSync(root, { recursive: true, force: true });
});

test('the console is built when it is missing, and again only when something that it is made of changed', async () => {
  expect(await build()).toBe(true);
  expect(await build()).toBe(true);
  expect([page(), runs()]).toEqual(['one', 1]);
  put('console/src/main.test.ts', 'of no weight');
  await build();
  expect(runs()).toBe(1);
  for (const [name, text] of [
    ['console/src/main.tsx', 'two'],
    ['contract/src/keys.ts', 'changed'],
    ['contract/src/added.ts', ''],
    ['docs/guide/console.md', '# The console'],
    ['package-lock.json', '{"a":1}'],
  ] as const) {
    const before = runs();
    put(name, text);
    await build();
    expect(runs(), name).toBe(before + 1);
  }
  expect(page()).toBe('two');
  expect(readdirSync(join(root, 'console'))).toEqual(['dist', 'package.json', 'src']);
});

test('several that start at once build it once', async () => {
  expect(await Promise.all([build(), build(), build()])).toEqual([true, true, true]);
  expect(runs()).toBe(1);
});

test('a failed build tells why and leaves no console of other sources', async () => {
  await build();
  put('console/src/main.tsx', 'broken');
  expect(await build()).toBe(false);
  expect(said.mock.calls.join('')).toContain('main.tsx is broken');
  expect(said.mock.calls.join('')).toContain('npm run console');
  expect(existsSync(join(root, 'console/dist'))).toBe(false);
  expect(readdirSync(join(root, 'console'))).toEqual(['package.json', 'src']);
  put('console/src/main.tsx', 'mended');
  expect(await build()).toBe(true);
  expect(page()).toBe('mended');
});

test('a copy without the sources of the console is left as it is', async () => {
  rmSync(join(root, 'console'), { recursive: true });
  expect(await build()).toBe(true);
  expect(existsSync(join(root, 'console'))).toBe(false);
  expect(said).not.toHaveBeenCalled();
});

test('what is in the way of a build is told, not thrown', async () => {
  put('.runtime', 'a file where a folder is wanted');
  expect(await build()).toBe(false);
  expect(said.mock.calls.join('')).toContain('npm run console');
});
