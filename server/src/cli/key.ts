import { type GuardMode, guardModes } from '@ai-studio/contract/utilities/guard.ts';
import type { LoadedConfig } from '../config/index.ts';
import {
  deleteKey,
  issueKey,
  keyScopes,
  listKeys,
  type KeyInfo,
  type KeyScope,
  type NewKey,
  type ToolStream,
} from '../identity/index.ts';
import { eachRateLimit, type RateLimit } from '../kernel/rate-limits.ts';
import { extractFlags, UsageError } from './args.ts';
import { formatTable, type Output } from './output.ts';
import type { Command, CommandContext } from './command.ts';
import { runAsSystem } from './run-as-system.ts';

const limitFlags = {
  requestsPerMinute: 'requests-per-minute',
  tokensPerMinute: 'tokens-per-minute',
} as const satisfies Readonly<Record<RateLimit, string>>;

const keyFlags = [
  'json',
  'name',
  'scopes',
  'models',
  ...Object.values(limitFlags),
  'expires',
  'tool-stream',
  'agent-models',
  'privacy',
] as const;
type KeyFlags = Readonly<Partial<Record<(typeof keyFlags)[number], string | true>>>;

/** The text of a flag; undefined when it was not given. */
function textOf(flags: KeyFlags, name: (typeof keyFlags)[number]): string | undefined {
  const value = flags[name];
  if (value === true) throw new UsageError(`--${name} needs a value.`);
  return value;
}

const listOf = (text: string | undefined) =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function numberOf(flags: KeyFlags, name: (typeof limitFlags)[RateLimit]): number | null {
  const text = textOf(flags, name);
  if (text === undefined) return null;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} must be a whole number of at least 1.`);
  return value;
}

function scopesOf(text: string | undefined): KeyScope[] | undefined {
  return listOf(text)?.map((name) => {
    const scope = keyScopes.find((known) => known === name);
    if (!scope) throw new UsageError(`There is no scope "${name}"; known: ${keyScopes.join(', ')}.`);
    return scope;
  });
}

function toolStreamOf(text: string | undefined): ToolStream | null {
  if (text === undefined || text === 'openai' || text === 'arguments') return text ?? null;
  throw new UsageError('--tool-stream must be openai or arguments.');
}

function privacyModeOf(text: string | undefined): GuardMode | null {
  if (text === undefined) return null;
  const mode = guardModes.find((known) => known === text);
  if (!mode) throw new UsageError(`--privacy must be one of ${guardModes.join(', ')}.`);
  return mode;
}

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const expiry = new Date(text);
  if (Number.isNaN(expiry.getTime())) throw new UsageError('--expires must be a day or time such as 2027-01-31.');
  return expiry;
}

/** What is asked of a new key on the command line. Throws UsageError. */
export function newKeyOf(name: string, flags: KeyFlags): NewKey {
  const scopes = scopesOf(textOf(flags, 'scopes'));
  return {
    name,
    ...(scopes ? { scopes } : {}),
    allowedModels: listOf(textOf(flags, 'models')) ?? null,
    ...eachRateLimit((limit) => numberOf(flags, limitFlags[limit])),
    expiresAt: expiryOf(textOf(flags, 'expires')),
    toolStream: toolStreamOf(textOf(flags, 'tool-stream')),
    agentModels: flags['agent-models'] === true,
    privacyMode: privacyModeOf(textOf(flags, 'privacy')),
  };
}

const day = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? '';

const keyRow = (key: KeyInfo) => [
  key.id,
  key.name,
  `${key.start}…${key.last4}`,
  key.scopes.length === keyScopes.length ? 'all' : key.scopes.join(','),
  day(key.createdAt),
  day(key.lastUsedAt) || 'never used',
  key.expiresAt ? `until ${day(key.expiresAt)}` : '',
];

function printKeys(keys: readonly KeyInfo[], json: boolean, out: Output): void {
  if (json) out.print(JSON.stringify(keys, null, 2));
  else if (keys.length === 0) out.print('There are no keys. "studio key create NAME" makes one.');
  else
    out.print(
      formatTable([['ID', 'NAME', 'VALUE', 'SCOPES', 'CREATED (UTC)', 'LAST USED', 'EXPIRES'], ...keys.map(keyRow)]),
    );
}

async function create(
  positionals: readonly string[],
  flags: KeyFlags,
  loaded: LoadedConfig,
  out: Output,
): Promise<void> {
  const name = positionals[1] ?? textOf(flags, 'name');
  if (name === undefined) throw new UsageError('Give the key a name: studio key create "my program"');
  const input = newKeyOf(name, flags);
  for (const id of input.allowedModels ?? [])
    if (!loaded.catalogue.get(id)) throw new UsageError(`There is no model "${id}".`);
  const { key, value } = await runAsSystem(loaded, out, (deps, who) => issueKey(deps, who, input));
  if (flags.json) out.print(JSON.stringify({ ...key, value }, null, 2));
  else {
    out.note(`Key "${key.name}" (${key.id}). Its value is shown this once:`);
    out.print(value);
  }
}

export const key: Command = async ({ line, out, load }: CommandContext) => {
  const { own, rest } = extractFlags(line, keyFlags);
  const [action, id] = line.positionals;
  if (action !== 'create' && action !== 'list' && action !== 'delete')
    throw new UsageError('Use "studio key create NAME", "studio key list" or "studio key delete ID".');
  const loaded = load(rest);
  if (action === 'create') await create(line.positionals, own, loaded, out);
  else if (action === 'list') {
    const keys = await runAsSystem(loaded, out, ({ db }, { tenantId }) => listKeys({ db }, tenantId));
    printKeys(keys, own.json === true, out);
  } else {
    if (id === undefined) throw new UsageError('Which key? "studio key list" shows their IDs.');
    await runAsSystem(loaded, out, (deps, who) => deleteKey(deps, who, id));
    out.print(`Deleted ${id}: every process of the service refuses it from now on.`);
  }
  return 0;
};
