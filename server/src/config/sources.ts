import { readFileSync } from 'node:fs';
import { closestMatch } from '@ai-studio/contract/nearest.ts';
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { leaves, parseText, textMistake, type Leaf } from './leaves.ts';

/** A problem of the configuration: its location, and what would be right. */
export interface Problem {
  /** `studio.yaml:3:5`, `STUDIO_SERVER_PORT` or `--server.port`; null for what stands nowhere. */
  readonly where: string | null;
  readonly message: string;
}

/** Values of one source, not validated yet, with the location of each. */
export interface Source {
  readonly values: Record<string, unknown>;
  /** Where the value of a path, or the nearest thing around it, stands; null when this source says nothing of it. */
  locate(path: readonly PropertyKey[]): string | null;
  readonly problems: readonly Problem[];
  /** Probable mistakes that do no harm. */
  readonly warnings: readonly Problem[];
}

/** Puts a value at a path, making the objects on the way. */
export function assign(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = target;
  for (const part of path.slice(0, -1)) {
    const next = at[part];
    if (isObject(next)) at = next;
    else {
      const made: Record<string, unknown> = {};
      at[part] = made;
      at = made;
    }
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}

/** An object of keys and values, not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ENV_REFERENCE = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Reads a YAML file. `${NAME}` in a text is taken from the environment, `$${` stands for `${`. */
export function parseYamlFile(file: string, text: string, env: NodeJS.ProcessEnv): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const problems: Problem[] = document.errors.map((error) => ({
    where: at(error.pos[0]),
    message: error.message.split('\n')[0] ?? error.message,
  }));
  const locate = (path: readonly PropertyKey[]) => {
    const offset = offsetOf(document, path);
    return offset === null ? null : at(offset);
  };
  const values: unknown = problems.length > 0 ? {} : document.toJS({ maxAliasCount: 100 });
  if (values === null || values === undefined) return { values: {}, locate, problems, warnings: [] };
  if (typeof values !== 'object' || Array.isArray(values)) {
    return {
      values: {},
      locate,
      problems: [{ where: `${file}:1:1`, message: 'the file must hold keys and values, such as "server:"' }],
      warnings: [],
    };
  }
  const substitute = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => substitute(item, [...path, i]));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, [...path, key])]));
    if (typeof value !== 'string' || !value.includes('${')) return value;
    const filled = value.replace(ENV_REFERENCE, (_all, escaped: string | undefined, name: string) => {
      if (escaped !== undefined) return '${';
      const found = env[name];
      if (found === undefined)
        problems.push({ where: locate(path), message: `the environment variable ${name} is not set` });
      return found ?? '';
    });
    const leaf = leaves.find(({ name }) => name === path.join('.'));
    return leaf ? parseText(filled, leaf.kind) : filled;
  };
  return { values: substitute(values, []) as Record<string, unknown>, locate, problems, warnings: [] };
}

/** Where a path stands in the text: its key where there is one. Falls back on what is around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair && isScalar(pair.key) && pair.key.range) return pair.key.range[0];
    }
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return Number(node.range[0]);
  }
  return null;
}

/** Reads a file from the disk; null when it is not there. */
export function readFileIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Variables that are read elsewhere than as a key. */
const OTHER_VARIABLES = ['STUDIO_CONFIG', 'STUDIO_INIT_API_KEY', 'STUDIO_ADMIN_EMAIL', 'STUDIO_ADMIN_PASSWORD'];

function fromLeaves(given: readonly (readonly [Leaf, string, string])[]): Omit<Source, 'warnings'> {
  const values: Record<string, unknown> = {};
  const places = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [leaf, text, place] of given) {
    const value = parseText(text, leaf.kind);
    const mistake = textMistake(value, leaf.kind);
    if (mistake === null) assign(values, leaf.path, value);
    else problems.push({ where: place, message: `${leaf.name} ${mistake}` });
    places.set(leaf.name, place);
  }
  const locate = (path: readonly PropertyKey[]) => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(path.slice(0, length).join('.'));
      if (place !== undefined) return place;
    }
    return null;
  };
  return { values, locate, problems };
}

/** Reads `STUDIO_…` variables. Empty ones count as not set, as container tools pass them so. */
export function readEnvironment(env: NodeJS.ProcessEnv): Source {
  const given = leaves.flatMap((leaf) => {
    const text = env[leaf.variable];
    return text === undefined || text === '' ? [] : [[leaf, text, leaf.variable] as const];
  });
  const known = [...leaves.map(({ variable }) => variable), ...OTHER_VARIABLES];
  // Only a warning: orchestrators set variables such as STUDIO_SERVICE_HOST by themselves.
  const warnings = Object.keys(env).flatMap((name) => {
    if (!name.startsWith('STUDIO_') || known.includes(name)) return [];
    const near = closestMatch(name, known);
    return near === null ? [] : [{ where: name, message: `is not a setting; did you mean ${near}?` }];
  });
  return { ...fromLeaves(given), warnings };
}

/** Short names of flags that are used often. */
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  port: 'server.port',
  host: 'server.host',
  workers: 'server.workers',
};

/** Reads `--server.port=8080` and the like; `-` and `_` are the same. Returns the flags that are no setting as well. */
export function readFlags(flags: readonly (readonly [name: string, value: string | true])[]): Source {
  const given: [Leaf, string, string][] = [];
  const problems: Problem[] = [];
  for (const [name, value] of flags) {
    const plain = name.replaceAll('-', '_');
    const leaf = leaves.find((known) => known.name === (SHORT_FLAGS[plain] ?? plain));
    if (!leaf) {
      const near = closestMatch(plain, [...leaves.map((known) => known.name), ...Object.keys(SHORT_FLAGS), 'config']);
      problems.push({
        where: `--${name}`,
        message: `is not a known option${near === null ? '' : `; did you mean --${near}?`}`,
      });
    } else if (value === true && leaf.kind !== 'boolean')
      problems.push({ where: `--${name}`, message: 'needs a value' });
    else given.push([leaf, value === true ? 'true' : value, `--${name}`]);
  }
  const read = fromLeaves(given);
  return { ...read, problems: [...problems, ...read.problems], warnings: [] };
}
