// Which tests run a file: those from which it is reached by imports, the nearest first.
import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

const CONTRACT = '@ai-studio/contract/';

/** Files of the project that a file imports, without those it imports types of alone. */
function importsOf(root, path) {
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
    if (name?.startsWith(CONTRACT)) return [name.replace(CONTRACT, 'contract/src/')];
    return name?.startsWith('.') ? [relative(root, resolve(root, path, '..', name))] : [];
  });
}

/** Opens the tests of one process of a project: a function from the path of a source to those of its tests, the nearest first. */
export function openRelated(root) {
  const files = globSync('{server,contract}/**/*.ts', { cwd: root, exclude: (name) => name === 'node_modules' });
  const importers = new Map();
  for (const file of files)
    for (const imported of importsOf(root, file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  return (path) => {
    const reached = new Set([path]);
    // The set grows while it is walked, from near to far.
    for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
    return [...reached].filter((one) => one.endsWith('.test.ts') && !one.endsWith('.e2e.test.ts'));
  };
}
