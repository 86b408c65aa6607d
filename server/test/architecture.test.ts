import { isBuiltin } from 'node:module';
import { describe, expect, test } from 'vitest';
import { findCycles, readModule, readModules, type Module } from './support/modules.ts';

// Who may import whom. Folders of the server that are not named here are features.
const modules = readModules();

const layers = [
  'kernel',
  'reply-format',
  'ports',
  'jobs',
  'models',
  'migrations',
  'adapters',
  'console-kit',
  'routes.console',
  'console',
  'http',
  'config',
  'cli',
  'compose',
  'compose.ts',
  'main.mjs',
];

/** Routes of the console that stand in the folder of their feature. They are above all features: none imports them. */
const isRoutes = (path: string) => /^server\/src\/[^/]+\/routes\.console[./]/.test(path);
/** What of them others may import. */
const isEntry = (path: string) => /\/routes\.console(?:\/index)?\.ts$/.test(path);
const folderOf = (path: string) => path.split('/')[2] ?? '';

/** What a file belongs to: `contract`, `web` (the console in the browser), a layer, or the name of a feature. */
function homeOf(path: string): string {
  if (path.startsWith('contract/')) return 'contract';
  if (path.startsWith('console/')) return 'web';
  return isRoutes(path) ? 'routes.console' : folderOf(path);
}
const isFeature = (home: string) => !['contract', 'web'].includes(home) && !layers.includes(home);

/** What each may import beside itself; `features` stands for their index.ts. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  web: ['contract'],
  // Types of the wire that an actor carries, such as the policy for personal values.
  kernel: ['contract'],
  'reply-format': ['kernel'],
  ports: ['contract', 'kernel'],
  jobs: ['kernel', 'ports'],
  models: ['contract', 'kernel', 'reply-format'],
  migrations: ['kernel', 'ports'],
  adapters: ['contract', 'kernel', 'reply-format', 'ports'],
  'console-kit': ['contract', 'kernel', 'models', 'ports', 'features'],
  'routes.console': ['contract', 'kernel', 'models', 'ports', 'console-kit', 'features'],
  console: ['contract', 'kernel', 'models', 'ports', 'console-kit', 'routes.console', 'features'],
  http: ['contract', 'kernel', 'models', 'ports', 'console', 'features'],
  config: ['contract', 'kernel', 'models'],
  cli: ['contract', 'kernel', 'models', 'ports', 'config', 'compose', 'compose.ts', 'features'],
  compose: ['contract', 'kernel', 'models', 'ports', 'migrations', 'adapters', 'console', 'http', 'config', 'features'],
  'compose.ts': [
    'contract',
    'kernel',
    'models',
    'ports',
    'migrations',
    'adapters',
    'console',
    'http',
    'config',
    'features',
    'compose',
  ],
  'main.mjs': ['cli'],
};
const allowedOfFeatures = ['contract', 'kernel', 'reply-format', 'models', 'ports', 'jobs', 'features'];

function mayImport(from: string, to: string): boolean {
  const [home, target] = [homeOf(from), homeOf(to)];
  if (target === 'routes.console' && folderOf(from) !== folderOf(to) && !isEntry(to)) return false;
  if (home === target) return true;
  const list = isFeature(home) ? allowedOfFeatures : (allowed[home] ?? []);
  return isFeature(target) ? list.includes('features') && to.endsWith(`/${target}/index.ts`) : list.includes(target);
}

const wrongImports = (all: readonly Module[]) =>
  all.flatMap(({ path, files }) => files.filter((file) => !mayImport(path, file)).map((file) => `${path} → ${file}`));

const wrongPackages = (
  home: string,
  packagesOf: (module: Module) => readonly string[],
  fine: (name: string) => boolean,
) =>
  modules
    .filter(({ path }) => homeOf(path) === home)
    .flatMap((module) =>
      packagesOf(module)
        .filter((name) => !fine(name))
        .map((name) => `${module.path} → ${name}`),
    );

describe('the architecture', () => {
  test('every import stays within the lines between layers', () => {
    expect(wrongImports(modules)).toEqual([]);
  });

  test('every imported file is one that was read', () => {
    const known = new Set(modules.map(({ path }) => path));
    const code = (file: string) => !/\.(?:css|json)$/.test(file);
    expect(modules.flatMap(({ files }) => files.filter((file) => code(file) && !known.has(file)))).toEqual([]);
  });

  test('no import leads back to where it began, types included', () => {
    expect(findCycles(modules).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  test('the contract needs zod alone, the kernel and the models only Node.js and zod, reply formats nothing, ports take types only', () => {
    expect(
      wrongPackages(
        'contract',
        ({ packages }) => packages,
        (name) => name === 'zod',
      ),
    ).toEqual([]);
    expect(wrongPackages('kernel', ({ packages }) => packages, isBuiltin)).toEqual([]);
    expect(
      wrongPackages(
        'reply-format',
        ({ packages }) => packages,
        () => false,
      ),
    ).toEqual([]);
    expect(
      wrongPackages(
        'models',
        ({ packages }) => packages,
        (name) => name === 'zod',
      ),
    ).toEqual([]);
    expect(
      wrongPackages(
        'ports',
        ({ packagesAtRun }) => packagesAtRun,
        () => false,
      ),
    ).toEqual([]);
  });

  test('what runs in the browser takes nothing of Node.js', () => {
    const inBrowser = modules.filter(({ path }) => homeOf(path) === 'web');
    expect(inBrowser.flatMap(({ packages }) => packages.filter(isBuiltin))).toEqual([]);
    expect(inBrowser.flatMap(({ packages }) => packages)).toContain('react');
  });

  test('only the configuration reads the environment', () => {
    expect(
      modules
        .filter(({ path, readsEnvironment }) => readsEnvironment && !['config', 'main.mjs'].includes(homeOf(path)))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('only the composition imports adapters', () => {
    const importers = modules.filter(
      ({ path, files }) => homeOf(path) !== 'adapters' && files.some((file) => homeOf(file) === 'adapters'),
    );
    expect(importers.map(({ path }) => path)).toContain('server/src/compose.ts');
    expect(importers.filter(({ path }) => !/^server\/src\/compose(?:\.ts$|\/)/.test(path))).toEqual([]);
  });

  test('the project was really looked at', () => {
    expect(modules.length).toBeGreaterThan(80);
    expect(modules.reduce((sum, { files }) => sum + files.length, 0)).toBeGreaterThan(200);
    for (const home of ['contract', 'web', ...layers]) expect(modules.map(({ path }) => homeOf(path))).toContain(home);
    expect(modules.filter(({ readsEnvironment }) => readsEnvironment)).not.toEqual([]);
  });
});

describe('the reader of modules', () => {
  const read = (text: string) => readModule('server/src/chat/x.ts', text);

  test('sees every kind of import, and where the environment is read', () => {
    const { files, packages, packagesAtRun } = read(`
      import a from './a.ts';
      import type { B } from '../ports/b.ts';
      export * from './c.ts';
      export { d } from './d.ts';
      const e = await import('./e.ts');
      type F = import('../kernel/f.ts').F;
      import { z } from '@ai-studio/contract/g.ts';
      import { type H } from 'kysely';
      import fs from 'node:fs';
    `);
    const chat = (name: string) => `server/src/chat/${name}.ts`;
    expect(files.toSorted()).toEqual(
      [
        chat('a'),
        'server/src/ports/b.ts',
        chat('c'),
        chat('d'),
        chat('e'),
        'server/src/kernel/f.ts',
        'contract/src/g.ts',
      ].toSorted(),
    );
    expect(packages).toEqual(['kysely', 'node:fs']);
    expect(packagesAtRun).toEqual(['node:fs']);
    expect(read(`process.env.X`).readsEnvironment).toBe(true);
    expect(read(`process['env']`).readsEnvironment).toBe(true);
    expect(read(`x.env`).readsEnvironment).toBe(false);
  });

  test('finds what crosses the lines, and circles', () => {
    const crossing = read(
      `import '../adapters/postgres/index.ts'; import '../identity/key-ring.ts'; import '../identity/index.ts';`,
    );
    expect(wrongImports([crossing])).toEqual([
      'server/src/chat/x.ts → server/src/adapters/postgres/index.ts',
      'server/src/chat/x.ts → server/src/identity/key-ring.ts',
    ]);
    const routes = (text: string) => wrongImports([readModule('server/src/chat/routes.console/x.ts', text)]);
    expect(routes(`import './y.ts'; import '../index.ts'; import '../../identity/routes.console/index.ts';`)).toEqual(
      [],
    );
    expect(routes(`import '../verb.ts'; import '../../identity/routes.console/keys.ts';`)).toHaveLength(2);
    expect(wrongImports([read(`import './routes.console.ts'; import '../console-kit/route.ts';`)])).toHaveLength(2);
    const [a, b] = [
      readModule('server/src/chat/a.ts', `import './b.ts'`),
      readModule('server/src/chat/b.ts', `import type { A } from './a.ts'`),
    ];
    expect(findCycles([a, b])).toEqual([['server/src/chat/a.ts', 'server/src/chat/b.ts', 'server/src/chat/a.ts']]);
    expect(() => read('import from')).toThrow('server/src/chat/x.ts');
  });
});
