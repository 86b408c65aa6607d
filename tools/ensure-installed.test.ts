import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const { ensureInstalled } = (await import(new URL('install.mjs', import.meta.url).href)) as {
  ensureInstalled(root: string, node: string, extent?: 'all' | 'service'): Promise<void>;
};

/** Notes what it was asked for, and leaves the record that npm would; fails once where a file says how. */
const npm = `
  const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
  const args = process.argv.slice(2);
  appendFileSync('asked', args.filter((arg) => !/^--(no-audit|no-fund|ignore-scripts)$/.test(arg)).join(' ') + '\\n');
  if (existsSync('fails')) {
    console.error(readFileSync('fails', 'utf8'));
    rmSync('fails');
    process.exit(1);
  }
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const kept = Object.entries(packages).filter(([, { dev }]) => !dev || !args.includes('--omit=dev'));
  mkdirSync('node_modules', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(kept) }));
`;

let root: string;
const put = (name: string, text: string) => writeFileSync(join(root, name), text);
const lock = (version: string) =>
  put(
    'package-lock.json',
    JSON.stringify({ packages: { 'node_modules/a': { version }, 'node_modules/b': { version: '1.0.0', dev: true } } }),
  );
/** What npm was asked for since the last look. */
function asked(): string[] {
  const file = join(root, 'asked');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  return lines;
}
const install = (extent?: 'all' | 'service') => ensureInstalled(root, process.execPath, extent);

beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  root = mkdtempSync(join(tmpdir(), 'ensure-installed-'));
  mkdirSync(join(root, 'npm'));
  put('npm/package.json', '{}');
  put('npm/npm-cli.js', npm);
  vi.stubEnv('npm_execpath', join(root, 'npm/npm-cli.js'));
  lock('1.0.0');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

test('a start brings what the service needs; tests add the rest without taking away what a service may run from', async () => {
  await install('service');
  expect(asked()).toEqual(['ci --omit=dev --prefer-offline']);
  await install('service');
  expect(asked()).toEqual([]);
  await install();
  expect(asked()).toEqual(['install --no-save --include=dev --prefer-offline']);
  await install();
  await install('service');
  expect(asked()).toEqual([]);
});

test('who has all packages is given all of them again when the lock file changes', async () => {
  await install();
  lock('1.1.0');
  await install('service');
  await install();
  expect(asked()).toEqual(['ci --include=dev --prefer-offline', 'ci --include=dev --prefer-offline']);
  rmSync(join(root, 'node_modules/.ai-studio-installed'));
  await install('service');
  expect(asked()).toEqual([]);
});

test('the registry is asked for versions that the cache of npm does not know; other failures are told', async () => {
  put('fails', 'npm error code ETARGET\nnpm error notarget No matching version found for a@1.0.0.');
  await install('service');
  expect(asked()).toEqual(['ci --omit=dev --prefer-offline', 'ci --omit=dev']);
  lock('1.1.0');
  put('fails', 'npm error code EINTEGRITY');
  await expect(install('service')).rejects.toThrow(/EINTEGRITY[\s\S]*Could not install the packages/);
  expect(asked()).toEqual(['ci --omit=dev --prefer-offline']);
});
