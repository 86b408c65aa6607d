import { isBuiltin } from 'node:module';
import { expect, test } from 'vitest';
import { readModule, readModules } from './support/modules.ts';

// What a start loads costs each start its time and each service its memory: what only some services use is imported where it is used.

const modules = new Map(readModules().map((module) => [module.path, module]));

/** Files of the project and packages that are loaded with a file. */
function loadedWith(...entries: readonly string[]) {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const path of files)
    for (const next of modules.get(path)?.loads ?? []) {
      if (modules.has(next)) files.add(next);
      else if (!isBuiltin(next)) packages.add(next);
    }
  return { files: [...files], packages: [...packages].toSorted() };
}

/** The program until its PostgreSQL is on its way. */
const first = loadedWith('server/src/main.mjs', 'server/src/cli/index.ts', 'server/src/cli/serve/index.ts');
const whole = loadedWith('server/src/cli/serve/start.ts', 'server/src/cli/serve/worker.ts');

test('a started service has loaded these packages, and none that reads PDF files, recognises, searches, hears or speaks', () => {
  expect(whole.packages).toEqual([
    '@huggingface/jinja',
    'ajv',
    'ajv/dist/2020.js',
    'chardet',
    'fastify',
    'iconv-lite',
    'kysely',
    'pg',
    'prom-client',
    'yaml',
    'zod',
  ]);
});

test('PostgreSQL starts before the interface, the features and the engines are loaded', () => {
  expect(first.packages).toEqual(['kysely', 'pg', 'yaml', 'zod']);
  const folders = new Set(first.files.map((path) => path.split('/').slice(0, 3).join('/')));
  expect([...folders].filter((path) => path.startsWith('server/src/')).toSorted()).toEqual([
    'server/src/adapters',
    'server/src/cli',
    'server/src/compose',
    'server/src/config',
    'server/src/kernel',
    'server/src/main.mjs',
    'server/src/migrations',
    'server/src/models',
    'server/src/ports',
  ]);
  expect(first.files.filter((path) => path.startsWith('server/src/adapters/engines/'))).toEqual([]);
});

test('modules that are taken by import() are not among what is loaded with a file', () => {
  const path = 'server/src/cli/x.ts';
  const text = `import { a } from 'one';\nimport type { B } from 'two';\nconst c = () => import('three');\nexport * from './y.ts';`;
  expect(readModule(path, text).loads).toEqual(['one', 'server/src/cli/y.ts']);
});
