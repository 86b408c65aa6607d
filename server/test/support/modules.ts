import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
// @ts-expect-error A script without types.
import { createWorkspaceResolver } from '../../../tools/workspaces.mjs';

export const root = join(import.meta.dirname, '../../..');
/** The file of a part of the project that is taken by name; null for other packages. */
const fileOf = createWorkspaceResolver(root) as (name: string) => string | null;

/** A source file and what it imports, types included. */
export interface Module {
  /** Path from the project's folder, such as `server/src/kernel/ids.ts`. */
  readonly path: string;
  /** Files of the project that it imports. */
  readonly files: readonly string[];
  /** What it takes of those files by name, such as `server/src/kernel/ids.ts#hexId`; `#*` for all of one. */
  readonly names: readonly string[];
  /** Packages and built-in modules that it imports. */
  readonly packages: readonly string[];
  /** Packages of which it takes more than types. */
  readonly packagesAtRun: readonly string[];
  /** Files of the project, packages and built-in modules that are loaded with it: what it takes by `import()` comes later. */
  readonly loads: readonly string[];
  readonly readsEnvironment: boolean;
}

export type Node = Record<string, unknown>;

/** Calls `visit` for every node below, whatever its kind. */
export function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit);
  else if (typeof node === 'object' && node !== null) {
    visit(node as Node);
    for (const value of Object.values(node)) walk(value, visit);
  }
}

const nameOf = (node: unknown) => (node as Node | null)?.['name'] ?? (node as Node | null)?.['value'];

function isEnvironment(node: Node): boolean {
  return (
    node['type'] === 'MemberExpression' && nameOf(node['object']) === 'process' && nameOf(node['property']) === 'env'
  );
}

/** Whether an import or export is of types alone, so that nothing of it is left when the program runs. */
function isTypeOnly(node: Node): boolean {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true;
  const specifiers = node['specifiers'];
  return (
    Array.isArray(specifiers) &&
    specifiers.length > 0 &&
    specifiers.every((one: Node) => one['importKind'] === 'type' || one['exportKind'] === 'type')
  );
}

/** The names that an import or export takes; `*` for all there are. */
function namesIn({ specifiers }: Node): string[] {
  if (!Array.isArray(specifiers)) return ['*'];
  return specifiers.map((one: Node) => {
    const name = nameOf(one['imported'] ?? (one['exported'] ? one['local'] : null));
    return typeof name === 'string' ? name : '*';
  });
}

const importing = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
];

/** Reads one file. Throws when it can't be parsed: a file that is not understood must not pass for one without imports. */
export function readModule(path: string, text: string): Module {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: { from: string; typeOnly: boolean; isLate: boolean; names: string[] }[] = [];
  let readsEnvironment = false;
  walk(program.body, (node) => {
    readsEnvironment ||= isEnvironment(node);
    if (!importing.includes(String(node['type']))) return;
    const source = (node['source'] ?? node['argument']) as Node | null | undefined;
    const from = source?.['value'] ?? (source?.['literal'] as Node | undefined)?.['value'];
    if (typeof from !== 'string') return;
    const typeOnly = node['type'] === 'TSImportType' || isTypeOnly(node);
    found.push({ from, typeOnly, isLate: node['type'] === 'ImportExpression', names: namesIn(node) });
  });
  const toFile = (from: string) =>
    from.startsWith('.') ? relative(root, resolve(root, dirname(path), from)) : fileOf(from);
  const own = found.flatMap(({ from, names }) => {
    const file = toFile(from);
    return file === null ? [] : [{ file, names }];
  });
  const packages = found.filter(({ from }) => toFile(from) === null);
  return {
    path,
    files: [...new Set(own.map(({ file }) => file))],
    names: own.flatMap(({ file, names }) => names.map((name) => `${file}#${name}`)),
    packages: [...new Set(packages.map(({ from }) => from))],
    packagesAtRun: [...new Set(packages.filter(({ typeOnly }) => !typeOnly).map(({ from }) => from))],
    loads: [
      ...new Set(found.filter(({ typeOnly, isLate }) => !typeOnly && !isLate).map(({ from }) => toFile(from) ?? from)),
    ],
    readsEnvironment,
  };
}

/** Path and text of every source file of a folder, without tests. */
export const readSources = (folder: string): { readonly path: string; readonly text: string }[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !/\.(?:test\.tsx?|d\.ts)$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The project's own modules, without tests. */
export function readModules(): Module[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`);
  return ['contract/src', ...packages, 'server/src', 'console/src']
    .flatMap(readSources)
    .map(({ path, text }) => readModule(path, text));
}

/** Ways round in a circle: each the list of paths, the first of them again at the end. */
export function findCycles(modules: readonly Module[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, way: readonly string[]) => {
    const seen = way.indexOf(path);
    if (seen >= 0) return void cycles.push([...way.slice(seen), path]);
    if (done.has(path)) return;
    for (const next of byPath.get(path)?.files ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const { path } of modules) visit(path, []);
  return cycles;
}
