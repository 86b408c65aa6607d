import { isBuiltin } from 'node:module';
import { describe, expect, test } from 'vitest';
import { findCycles, readModule, readModules, type Module } from './support/modules.ts';

// Who may import whom. Folders of the server that are not named here are features.
const modules = readModules();

const layers = [
  'kernel',
  'ports',
  'jobs',
  'models',
  'migrations',
  'adapters',
  'console-kit',
  'routes.console',
  'console',
  'http-kit',
  'routes.public',
  'http',
  'config',
  'cli',
  'compose',
  'compose.ts',
  'bundle.mjs',
  'main.mjs',
];

/** Routes that stand in the folder of their feature: `routes.console`, `routes.public`. They are above all features: none imports them. */
const routesOf = (path: string) => /^server\/src\/[^/]+\/(routes\.(?:console|public))[./]/.exec(path)?.[1];
/** What of them others may import. */
const isEntry = (path: string) => /\/routes\.(?:console|public)(?:\/index)?\.ts$/.test(path);
const folderOf = (path: string) => path.split('/')[2] ?? '';

const packages = ['documents', 'llama-runtime', 'reply-format'];
/** Of these, others take what their index gives alone: what is behind it runs in processes and threads of their own. */
const closedPackages = ['documents', 'llama-runtime'];

/** What a file belongs to: `contract`, `web` (the console in the browser), a package, a layer, or the name of a feature. */
function homeOf(path: string): string {
  if (path.startsWith('contract/')) return 'contract';
  if (path.startsWith('console/')) return 'web';
  if (path.startsWith('packages/')) return path.split('/')[1] ?? '';
  return routesOf(path) ?? folderOf(path);
}
const isFeature = (home: string) => !['contract', 'web', ...packages, ...layers].includes(home);

/** What each may import beside itself; `features` stands for their index.ts. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  web: ['contract'],
  // Types of the wire that an actor carries, such as the policy for personal values.
  kernel: ['contract'],
  'reply-format': [],
  documents: ['contract'],
  'llama-runtime': ['contract', 'reply-format'],
  ports: ['contract', 'kernel'],
  jobs: ['kernel', 'ports'],
  models: ['contract', 'kernel', 'reply-format'],
  migrations: ['kernel', 'ports'],
  adapters: ['contract', 'kernel', 'reply-format', 'llama-runtime', 'ports'],
  'console-kit': ['contract', 'kernel', 'models', 'ports', 'features'],
  'routes.console': ['contract', 'kernel', 'models', 'ports', 'console-kit', 'features'],
  console: ['contract', 'kernel', 'models', 'ports', 'console-kit', 'routes.console', 'features'],
  'http-kit': ['contract', 'kernel', 'models', 'ports', 'features'],
  'routes.public': ['contract', 'kernel', 'models', 'ports', 'http-kit', 'features'],
  http: ['contract', 'kernel', 'models', 'ports', 'console', 'http-kit', 'routes.public', 'features'],
  config: ['contract', 'kernel', 'models'],
  cli: ['contract', 'kernel', 'models', 'ports', 'config', 'compose', 'compose.ts', 'features'],
  compose: [
    'contract',
    'documents',
    'llama-runtime',
    'kernel',
    'models',
    'ports',
    'migrations',
    'adapters',
    'console',
    'http',
    'config',
    'features',
  ],
  'compose.ts': [
    'contract',
    'documents',
    'llama-runtime',
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
  'main.mjs': ['bundle.mjs', 'cli'],
};
const allowedOfFeatures = ['contract', 'kernel', 'reply-format', 'documents', 'models', 'ports', 'jobs', 'features'];

function mayImport(from: string, to: string): boolean {
  const [home, target] = [homeOf(from), homeOf(to)];
  if (target.startsWith('routes.') && folderOf(from) !== folderOf(to) && !isEntry(to)) return false;
  if (home === target) return true;
  if (closedPackages.includes(target) && !to.endsWith('/src/index.ts')) return false;
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

/** What models are asked with, counted by and metered with, and who may have it, beside the composition. */
const ofInference: Readonly<Record<string, readonly string[]>> = {
  'server/src/ports/rate-limiter.ts#RateLimiter': ['server/src/inference/', 'server/src/adapters/'],
  // Documents are read by no model.
  'server/src/usage/index.ts#Metering': [
    'server/src/inference/',
    'server/src/parsing/metering.ts',
    'server/src/parsing/jobs/runner.ts',
    // The metrics listen to it.
    'server/src/http/endpoint-context.ts',
  ],
  'server/src/usage/index.ts#createMetering': [],
  'server/src/usage/index.ts#createMeter': [],
  'server/src/usage/index.ts#Meter': [],
  'server/src/inference/index.ts#createCalls': [],
  'server/src/inference/index.ts#createRunChat': [],
  'server/src/inference/index.ts#createRouter': [],
  // Adding engines, and the state of engines.
  'server/src/inference/index.ts#ChatRouter': ['server/src/model-servers/engines.ts'],
};

/** Who has what lets them ask, count or meter past inference; the tables and figures of usage are its own affair. */
const pastInference = (all: readonly Module[]) =>
  all
    .filter(({ path }) => !/^server\/src\/(?:inference|usage|compose)(?:\.ts$|\/)/.test(path))
    .flatMap(({ path, names }) =>
      names
        .filter((name) => {
          const wanted = name.replace(/#\*$/, '#');
          const meant = Object.entries(ofInference).filter(
            ([one]) => one === name || (name !== wanted && one.startsWith(wanted)),
          );
          return meant.some(([, fine]) => !fine.some((one) => path.startsWith(one)));
        })
        .map((name) => `${path} → ${name}`),
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
    // It reads nothing of it, but keeps secrets from the program that it starts.
    const handsOn = 'packages/llama-runtime/src/child/llama-server.ts';
    expect(
      modules
        .filter(({ path, readsEnvironment }) => readsEnvironment && !['config', 'main.mjs'].includes(homeOf(path)))
        .filter(({ path }) => path !== handsOn)
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

  test('models are asked, counted and metered by inference alone', () => {
    expect(pastInference(modules)).toEqual([]);
    const known = new Set(modules.flatMap(({ names }) => names));
    for (const name of [
      'ports/rate-limiter.ts#RateLimiter',
      'usage/index.ts#Metering',
      'inference/index.ts#ChatRouter',
    ])
      expect(known).toContain(`server/src/${name}`);
  });

  test('the project was really looked at', () => {
    expect(modules.length).toBeGreaterThan(80);
    expect(modules.reduce((sum, { files }) => sum + files.length, 0)).toBeGreaterThan(200);
    for (const home of ['contract', 'web', ...packages, ...layers])
      expect(modules.map(({ path }) => homeOf(path))).toContain(home);
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
      import { h } from '@ai-studio/documents';
      import { i } from '@ai-studio/documents/test/i.ts';
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
        'packages/documents/src/index.ts',
        'packages/documents/test/i.ts',
      ].toSorted(),
    );
    expect(packages).toEqual(['kysely', 'node:fs']);
    expect(packagesAtRun).toEqual(['node:fs']);
    expect(read(`process.env.X`).readsEnvironment).toBe(true);
    expect(read(`process['env']`).readsEnvironment).toBe(true);
    expect(read(`x.env`).readsEnvironment).toBe(false);
  });

  test('finds who asks, counts or meters past inference', () => {
    const past = (text: string) => pastInference([read(text)]);
    expect(past(`import type { Metering, UsageRow } from '../usage/index.ts';`)).toEqual([
      'server/src/chat/x.ts → server/src/usage/index.ts#Metering',
    ]);
    expect(past(`import { type RateLimiter as Own, type RateState } from '../ports/rate-limiter.ts';`)).toHaveLength(1);
    expect(past(`import * as all from '../inference/index.ts';`)).toHaveLength(1);
    expect(past(`const { createMetering } = await import('../usage/index.ts');`)).toHaveLength(1);
    expect(past(`export { createRouter as mine } from '../inference/index.ts';`)).toHaveLength(1);
    expect(past(`import { embed, type ModelCall } from '../inference/index.ts';`)).toEqual([]);
    const { names } = read(`import all from './a.ts'; import './b.ts'; export * from './c.ts';`);
    expect(names).toEqual(['server/src/chat/a.ts#*', 'server/src/chat/c.ts#*']);
  });

  test('finds what crosses the lines, and circles', () => {
    const crossing = read(
      `import '../adapters/postgres/index.ts'; import '../identity/key-ring.ts'; import '../identity/index.ts';`,
    );
    expect(wrongImports([crossing])).toEqual([
      'server/src/chat/x.ts → server/src/adapters/postgres/index.ts',
      'server/src/chat/x.ts → server/src/identity/key-ring.ts',
    ]);
    const taken = (text: string) => wrongImports([read(text)]);
    expect(taken(`import '@ai-studio/documents'; import '@ai-studio/reply-format/stops.ts';`)).toEqual([]);
    expect(taken(`import '@ai-studio/llama-runtime'; import '@ai-studio/documents/readers';`)).toHaveLength(2);
    const inPackage = readModule('packages/documents/src/x.ts', `import '../../../server/src/kernel/log.ts';`);
    expect(wrongImports([inPackage])).toHaveLength(1);
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
