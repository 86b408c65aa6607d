import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/modules.ts';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const page = readFileSync(join(root, 'docs/reference/third-party.md'), 'utf8');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const used = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
  .map(([path, locked]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    ...locked,
  }));

/** Licences that ask for no more than to be named. */
const free = new Set(
  'MIT ISC BSD-2-Clause BSD-3-Clause Apache-2.0 0BSD BlueOak-1.0.0 MIT-0 CC0-1.0 Unlicense Zlib'.split(' '),
);
const isFree = (licence: string) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => free.has(one)));

/** What names of packages for one platform end with. */
const platform = /-(?:android|darwin|freebsd|linux|win32)-.*$/;

test('every package has a free licence, or is told of with its version', () => {
  expect(used.length).toBeGreaterThan(200);
  const others = used.filter(({ name, version = '', license }) => {
    // Builds for single platforms go with the package that chooses among them.
    const told = page.includes(`\`${name.replace(platform, '')}\` ${version}`);
    return !told && (license === undefined || !isFree(license));
  });
  expect(others.map(({ name, license }) => `${name}: ${license ?? 'no licence'}`)).toEqual([]);
});

test('what the page tells of is what is installed', () => {
  const told = [...page.matchAll(/^\| `([^`]+)` (\S+) \|/gm)].map(([, name, version]) => `${name} ${version}`);
  expect(told.length).toBeGreaterThan(5);
  const installed = new Set(used.map(({ name, version = '' }) => `${name} ${version}`));
  expect(told.filter((one) => !installed.has(one))).toEqual([]);
});
