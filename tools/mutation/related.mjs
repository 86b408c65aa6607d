// Which tests run a file: those from which it is reached by imports, the nearest first.
import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { createWorkspaceResolver } from '../workspaces.mjs';

/** Files of the project that a file imports, without those it imports types of alone. */
function importsOf(root, fileOf, path) {
  const { staticImports, staticExports, dynamicImports } = parseSync(
    path,
    readFileSync(join(root, path), 'utf8'),
  ).module;
  const text = readFileSync(join(root, path), 'utf8');
  const runs = ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType);
  const names = [
    ...staticImports.filter(runs).map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).map((one) => one.moduleRequest?.value),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return names.flatMap((name) => {
    if (name?.startsWith('.')) return [relative(root, resolve(root, path, '..', name))];
    return (name && fileOf(name)) ?? [];
  });
}

/** The set of what is reached from a path, itself included. */
function reach(neighbours, path) {
  const reached = new Set([path]);
  // The set grows while it is walked.
  for (const one of reached) for (const next of neighbours.get(one) ?? []) reached.add(next);
  return reached;
}

const FEATURE_DEPTH = 3;
/** How many folders a test has in common with a file, from the feature on. */
const sharedFolders = (path, test) =>
  Math.max(
    FEATURE_DEPTH - 1,
    test.split('/').findIndex((part, at) => part !== path.split('/')[at]),
  );

/**
 * Reads the imports of a project. Returns a function from the path of a source to the tests of one process that reach it: those beside it
 * first, then those that reach little else.
 */
export function createTestSelector(root) {
  const files = globSync('{server,packages,contract}/**/*.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  });
  const fileOf = createWorkspaceResolver(root);
  const imports = new Map(files.map((file) => [file, importsOf(root, fileOf, file)]));
  const importers = new Map();
  for (const [file, imported] of imports)
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), file]);
  const sizes = new Map();
  const sizeOf = (test) => {
    if (!sizes.has(test)) sizes.set(test, reach(imports, test).size);
    return sizes.get(test);
  };
  return (path) =>
    [...reach(importers, path)]
      .filter((one) => one.endsWith('.test.ts') && !one.endsWith('.e2e.test.ts'))
      .toSorted((a, b) => sharedFolders(path, b) - sharedFolders(path, a) || sizeOf(a) - sizeOf(b));
}
