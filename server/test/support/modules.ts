import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

export const root = join(import.meta.dirname, '../../..');

/** A source file and what it imports, types included. */
export interface Module {
  /** Path from the project's folder, such as `server/src/kernel/ids.ts`. */
  readonly path: string;
  /** Files of the project that it imports. */
  readonly files: readonly string[];
  /** Packages and built-in modules that it imports. */
  readonly packages: readonly string[];
  /** Packages of which it takes more than types. */
  readonly packagesAtRun: readonly string[];
  readonly readsEnvironment: boolean;
}

type Node = Record<string, unknown>;

/** Calls `visit` for every node below, whatever its kind. */
function walk(node: unknown, visit: (node: Node) => void): void {
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
  const found: { from: string; typeOnly: boolean }[] = [];
  let readsEnvironment = false;
  walk(program.body, (node) => {
    readsEnvironment ||= isEnvironment(node);
    if (!importing.includes(String(node['type']))) return;
    const source = (node['source'] ?? node['argument']) as Node | null | undefined;
    const from = source?.['value'] ?? (source?.['literal'] as Node | undefined)?.['value'];
    if (typeof from === 'string') found.push({ from, typeOnly: node['type'] === 'TSImportType' || isTypeOnly(node) });
  });
  const local = (from: string) => from.startsWith('.') || from.startsWith('@ai-studio/contract/');
  const toFile = (from: string) =>
    from.startsWith('.')
      ? relative(root, resolve(root, dirname(path), from))
      : from.replace('@ai-studio/contract/', 'contract/src/');
  const names = found.filter(({ from }) => !local(from));
  return {
    path,
    files: [...new Set(found.filter(({ from }) => local(from)).map(({ from }) => toFile(from)))],
    packages: [...new Set(names.map(({ from }) => from))],
    packagesAtRun: [...new Set(names.filter(({ typeOnly }) => !typeOnly).map(({ from }) => from))],
    readsEnvironment,
  };
}

/** The project's own modules, without tests. */
export function readModules(): Module[] {
  return ['contract/src', 'server/src', 'console/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !/\.(?:test\.tsx?|d\.ts)$/.test(name))
      .map((name) => join(folder, name))
      .map((path) => readModule(path, readFileSync(join(root, path), 'utf8'))),
  );
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
