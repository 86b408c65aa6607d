import { resolve } from 'node:path';
import type { z } from 'zod';
import { Email, NewPassword } from '@ai-studio/contract/console/session.ts';
import { explain, fieldPath } from '@ai-studio/contract/explain.ts';
import { closestMatch } from '@ai-studio/contract/nearest.ts';
import { createCatalogue, type Catalogue } from '../models/catalogue.ts';
import { BUILTIN_ENGINE } from '../models/first-choice.ts';
import { LOCAL_ENGINE, SPEECH_ENGINE } from '../models/local.ts';
import { fallbacksOf } from '../models/profile.ts';
import { givenCores } from './cores.ts';
import { keysAt, leaves } from './leaves.ts';
import { Config } from './schema.ts';
import {
  isObject,
  readFileIfExists,
  readEnvironment,
  parseYamlFile,
  readFlags,
  type Problem,
  type Source,
} from './sources.ts';

/** The configuration is wrong; `problems` are all that were found. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`The configuration is not right:\n${problems.map((problem) => `  ${describeProblem(problem)}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** A problem on one line. */
export const describeProblem = ({ where, message }: Problem) => (where === null ? message : `${where}  ${message}`);

export interface LoadOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Folder that relative paths are meant from. */
  readonly cwd: string;
  /** The file that --config names. */
  readonly file?: string | undefined;
  readonly flags?: readonly (readonly [name: string, value: string | true])[];
}

export interface LoadedConfig {
  readonly config: Config;
  readonly catalogue: Catalogue;
  /** The file that was read; null when there was none. */
  readonly file: string | null;
  readonly warnings: readonly Problem[];
  /** STUDIO_INIT_API_KEY. */
  readonly initApiKey: string | null;
  /** STUDIO_ADMIN_EMAIL and STUDIO_ADMIN_PASSWORD; null where they are not set. */
  readonly firstAdministrator: { readonly email: string; readonly password: string } | null;
}

const DEFAULT_FILE = 'studio.yaml';

/**
 * Reads the configuration: flags before environment before file before defaults.
 * Throws ConfigError with every problem at once.
 */
export function loadConfig({ env, cwd, file: wanted, flags = [] }: LoadOptions): LoadedConfig {
  const named = wanted ?? (env['STUDIO_CONFIG'] || undefined);
  const path = resolve(cwd, named ?? DEFAULT_FILE);
  const text = readFileIfExists(path);
  if (text === null && named !== undefined)
    throw new ConfigError([{ where: path, message: 'this file does not exist' }]);

  const shown = named ?? DEFAULT_FILE;
  const sources = [readFlags(flags), readEnvironment(env), ...(text === null ? [] : [parseYamlFile(shown, text, env)])];
  const merged = sources.toReversed().reduce<Record<string, unknown>>((under, { values }) => merge(under, values), {});
  const warnings = sources.flatMap((source) => source.warnings);
  const problems = sources.flatMap((source) => source.problems);
  const where = (path: readonly PropertyKey[]) => place(sources, path);

  const parsed = Config.safeParse(merged);
  if (!parsed.success)
    throw new ConfigError([...problems, ...parsed.error.issues.flatMap((issue) => toProblems(issue, merged, where))]);
  // Model entries stay as they were written: the catalogue puts defaults in, beneath the fields of the model of that id.
  const config: Config = {
    ...parsed.data,
    server: { ...parsed.data.server, workers: parsed.data.server.workers || givenCores() },
    models: (merged['models'] ?? {}) as Config['models'],
    data_dir: resolve(cwd, parsed.data.data_dir),
  };
  const catalogue = readCatalogue(config, problems, where);
  const firstAdministrator = readFirstAdministrator(env, problems);
  if (problems.length > 0 || catalogue === null) throw new ConfigError(problems);
  return {
    config,
    catalogue,
    file: text === null ? null : path,
    warnings,
    initApiKey: env['STUDIO_INIT_API_KEY'] || null,
    firstAdministrator,
  };
}

/** The account to be made where there is none. Neither value is ever shown. */
function readFirstAdministrator(env: NodeJS.ProcessEnv, problems: Problem[]): LoadedConfig['firstAdministrator'] {
  const email = env['STUDIO_ADMIN_EMAIL'] || null;
  const password = env['STUDIO_ADMIN_PASSWORD'] || null;
  if (email === null && password === null) return null;
  const wrong = (where: string, message: string) => void problems.push({ where, message });
  if (email === null) wrong('STUDIO_ADMIN_EMAIL', 'is missing; STUDIO_ADMIN_PASSWORD needs it');
  else if (!Email.safeParse(email).success) wrong('STUDIO_ADMIN_EMAIL', 'must be an e-mail address');
  if (password === null) wrong('STUDIO_ADMIN_PASSWORD', 'is missing; STUDIO_ADMIN_EMAIL needs it');
  else if (!NewPassword.safeParse(password).success) wrong('STUDIO_ADMIN_PASSWORD', 'must have 10 to 200 characters');
  return email === null || password === null ? null : { email, password };
}

/** Objects are merged key by key; anything else of `over` replaces what is under it. */
function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? merge(below, value) : value;
  }
  return merged;
}

const place = (sources: readonly Source[], path: readonly PropertyKey[]) => {
  for (const source of sources) {
    const found = source.locate(path);
    if (found !== null) return found;
  }
  return null;
};

function toProblems(
  issue: z.core.$ZodIssue,
  input: unknown,
  where: (path: readonly PropertyKey[]) => string | null,
): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(issue.path) ?? [];
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const near = closestMatch(key, known);
      const elsewhere = leaves.find((leaf) => leaf.path.at(-1) === key)?.name;
      const hint = near
        ? `did you mean ${near}?`
        : elsewhere
          ? `did you mean ${elsewhere}?`
          : `known here: ${known.join(', ')}`;
      return { where: where(path), message: `${fieldPath(path)} is not a known key; ${hint}` };
    });
  }
  if (issue.code === 'invalid_key') {
    return [
      {
        where: where(issue.path),
        message: `${fieldPath(issue.path)}: ${issue.issues[0]?.message ?? 'is no good name'}`,
      },
    ];
  }
  if (issue.code === 'invalid_union') {
    // The branch that takes a form like the given one says best what is wrong with it.
    const telling = issue.errors.flat().find((inner) => inner.code !== 'invalid_type' || inner.path.length > 0);
    if (telling) return toProblems({ ...telling, path: [...issue.path, ...telling.path] }, input, where);
  }
  if (issue.code === 'invalid_format')
    return [{ where: where(issue.path), message: `${fieldPath(issue.path)} ${issue.message}` }];
  const { message } = explain({ issues: [issue] } as unknown as z.core.$ZodError, input);
  return [{ where: where(issue.path), message }];
}

/** Engines of the service itself, which no model server can be named like. */
const OWN_ENGINES: readonly string[] = [BUILTIN_ENGINE, LOCAL_ENGINE, SPEECH_ENGINE];

/** Checks what no single key can tell: that what is named exists, and nothing is named like what the service has itself. */
function readCatalogue(
  config: Config,
  problems: Problem[],
  where: (path: readonly PropertyKey[]) => string | null,
): Catalogue | null {
  for (const name of Object.keys(config.engines)) {
    if (!OWN_ENGINES.includes(name)) continue;
    const path = ['engines', name];
    problems.push({
      where: where(path),
      message: `${fieldPath(path)}: "${name}" is reserved for an engine of the service itself; choose another name`,
    });
  }
  const engines = [...Object.keys(config.engines), ...OWN_ENGINES];
  for (const [id, entry] of Object.entries(config.models)) {
    entry?.engines?.forEach(({ engine }, i) => {
      if (engines.includes(engine)) return;
      const near = closestMatch(engine, engines);
      const path = ['models', id, 'engines', i, 'engine'];
      problems.push({
        where: where(path),
        message: `${fieldPath(path)}: there is no engine "${engine}"; ${near ? `did you mean ${near}?` : `known: ${engines.join(', ')}`}`,
      });
    });
  }
  const catalogue = createCatalogue({
    models: config.models,
    defaultModel: config.default_model,
    defaultEmbedder: config.default_embedder,
    aliases: config.aliases,
  });
  const ids = catalogue.list().map(({ id }) => id);
  for (const [alias, id] of Object.entries(config.aliases)) {
    if (id === null || !ids.includes(alias)) continue;
    const path = ['aliases', alias];
    problems.push({
      where: where(path),
      message: `${fieldPath(path)} is the id of a model, which an alias cannot hide`,
    });
  }
  for (const { id, ...profile } of catalogue.list())
    for (const [i, { model }] of fallbacksOf(profile).entries()) {
      const path = ['models', id, 'fallbacks', i];
      const found = catalogue.get(model);
      if (found?.kind === 'chat' && model !== id && catalogue.get(id)?.kind === 'chat') continue;
      const near = closestMatch(model, ids);
      const problem =
        model === id
          ? 'is the model itself'
          : found
            ? `"${model}" cannot answer in its place: both must be chat models`
            : `there is no model "${model}"${near ? `; did you mean ${near}?` : ''}`;
      problems.push({ where: where(path), message: `${fieldPath(path)}: ${problem}` });
    }
  for (const [key, id] of [
    ['default_model', config.default_model],
    ['default_embedder', config.default_embedder],
  ] as const) {
    if (id === undefined || ids.includes(id)) continue;
    const near = closestMatch(id, ids);
    problems.push({
      where: where([key]),
      message: `${key}: there is no model "${id}"; ${near ? `did you mean ${near}?` : `known: ${ids.join(', ')}`}`,
    });
  }
  return catalogue;
}
