import type { Connector } from '@ai-studio/contract/retrieval/connector.ts';

export type SourceKind = Connector['settings']['kind'];

/** How a setting of a source is written. */
interface SourceField<Name extends string = string> {
  readonly name: Name;
  /** Of the setting, where other sources have another one of that name; its own where left out. */
  readonly setting?: string;
  /** `list`: endings that are separated by commas or spaces; `words`: words alike, as they are written. */
  readonly input: 'text' | 'url' | 'list' | 'words' | 'number' | 'switch' | 'area' | 'secret';
  readonly isRequired?: true;
  /** What it begins with. */
  readonly standard?: string;
}

const endings = { name: 'endings', input: 'list' } as const;
const login = [
  { name: 'username', input: 'secret' },
  { name: 'password', input: 'secret' },
] as const;
/** Of a query of a database whose port is usually this one. */
const queryFields = (port: string) =>
  [
    { name: 'host', input: 'text', isRequired: true },
    { name: 'port', input: 'number', standard: port },
    { name: 'database', input: 'text', isRequired: true },
    { name: 'tls', input: 'switch', standard: 'true' },
    { name: 'query', input: 'area', isRequired: true },
    ...login,
  ] as const;

/** What is asked of a source of each kind, beside its name and schedule. Secrets are kept apart from settings. */
export const sourceKinds = {
  web: [
    { name: 'url', input: 'url', isRequired: true },
    { name: 'depth', input: 'number', standard: '3' },
    { name: 'within', input: 'text' },
    { name: 'sitemap', input: 'switch', standard: 'true' },
    endings,
  ],
  feed: [
    { name: 'url', input: 'url', isRequired: true },
    { name: 'pages', input: 'switch', standard: 'true' },
  ],
  folder: [{ name: 'path', input: 'text', isRequired: true }, endings],
  webdav: [{ name: 'url', input: 'url', isRequired: true }, ...login, endings],
  s3: [
    { name: 'endpoint', input: 'url', isRequired: true },
    { name: 'region', input: 'text', standard: 'us-east-1' },
    { name: 'bucket', input: 'text', isRequired: true },
    { name: 'prefix', input: 'text' },
    { name: 'access_key_id', input: 'secret' },
    { name: 'secret_access_key', input: 'secret' },
    endings,
  ],
  git: [
    { name: 'url', input: 'url', isRequired: true },
    { name: 'branch', input: 'text' },
    { name: 'folder', input: 'text' },
    { name: 'pattern', input: 'text' },
    ...login,
    endings,
  ],
  confluence: [
    { name: 'url', input: 'url', isRequired: true },
    { name: 'spaces', input: 'words' },
    { name: 'cql', input: 'text' },
    { name: 'files', input: 'switch', standard: 'true' },
    ...login,
    { name: 'token', input: 'secret' },
    endings,
  ],
  sharepoint: [
    { name: 'tenant', input: 'text', isRequired: true },
    { name: 'client_id', input: 'text', isRequired: true },
    { name: 'client_secret', input: 'secret' },
    { name: 'site', input: 'url' },
    { name: 'user', input: 'text' },
    { name: 'library', input: 'text' },
    { name: 'folder', input: 'text' },
    endings,
  ],
  google_drive: [
    { name: 'service_account', input: 'secret' },
    { name: 'subject', input: 'text' },
    { name: 'drive', input: 'text' },
    { name: 'drive_folder', input: 'text', setting: 'folder' },
    endings,
  ],
  postgresql: queryFields('5432'),
  mysql: queryFields('3306'),
} as const satisfies Readonly<Record<SourceKind, readonly SourceField[]>>;

export type FieldName = (typeof sourceKinds)[SourceKind][number]['name'];

export const kindNames = Object.keys(sourceKinds) as SourceKind[];
export const fieldsOf = (kind: SourceKind): readonly SourceField<FieldName>[] => sourceKinds[kind];

/** What stands in the fields of a source: text, also where it stands for something else. */
export type SourceDraft = Readonly<Record<string, string>>;

/** What is written goes along to another kind, but not what was there before anybody wrote. */
export function draftOfOther(draft: SourceDraft, from: SourceKind, to: SourceKind): SourceDraft {
  const before = draftOf(from, null);
  const written = Object.entries(draft).filter(([name, value]) => value !== '' && value !== before[name]);
  return { ...draftOf(to, null), ...Object.fromEntries(written) };
}

const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/u).filter((word) => word !== '');
const endingsOf = (text: string): readonly string[] =>
  wordsOf(text.toLowerCase())
    .map((word) => word.replace(/^\*?\./u, ''))
    .filter((word) => word !== '');

/** The fields of a new source, or of one that is there; its secrets are told to nobody. */
export function draftOf(kind: SourceKind, settings: Connector['settings'] | null): SourceDraft {
  const values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> = { ...settings };
  return Object.fromEntries(
    fieldsOf(kind).map(({ name, setting = name, standard = '' }) => {
      const value = values[setting];
      if (value === undefined) return [name, settings === null ? standard : ''];
      return [name, typeof value === 'object' ? value.join(', ') : String(value)];
    }),
  );
}

/** What is sent of them. What is empty is left out. */
export function bodyOf(kind: SourceKind, draft: SourceDraft) {
  const settings: Record<string, unknown> = { kind };
  const secrets: Record<string, string> = {};
  for (const { name, setting = name, input } of fieldsOf(kind)) {
    const value = input === 'secret' ? (draft[name] ?? '') : (draft[name] ?? '').trim();
    if (value === '') continue;
    if (input === 'secret') secrets[name] = value;
    else if (input === 'list') settings[setting] = endingsOf(value);
    else if (input === 'words') settings[setting] = wordsOf(value);
    else if (input === 'number') settings[setting] = Number(value);
    else settings[setting] = input === 'switch' ? value === 'true' : value;
  }
  return { settings, secrets: Object.keys(secrets).length === 0 ? null : secrets };
}

/** Fields of which one at least is written. */
const oneOf: Partial<Record<SourceKind, readonly FieldName[]>> = { sharepoint: ['site', 'user'] };

/** Whether all that a source needs is there. */
export function isFilled(kind: SourceKind, draft: SourceDraft): boolean {
  const isWritten = (name: string) => (draft[name] ?? '').trim() !== '';
  return (
    fieldsOf(kind).every(({ name, isRequired }) => isRequired !== true || isWritten(name)) &&
    oneOf[kind]?.some(isWritten) !== false
  );
}

/**
 * The field of which the service says that it is wrong: `param` is the place of a setting, or `secrets` for all of them, of which it
 * is then the first that is empty. Null where it is none of the kind's.
 */
export function faultOf(kind: SourceKind, draft: SourceDraft, param: string | null): FieldName | null {
  const fields = fieldsOf(kind);
  if (param?.startsWith('secrets') === true) {
    const secrets = fields.filter(({ input }) => input === 'secret');
    return (secrets.find(({ name }) => (draft[name] ?? '') === '') ?? secrets[0])?.name ?? null;
  }
  const [, setting] = /^settings\.([^.[]+)/u.exec(param ?? '') ?? [];
  return fields.find((one) => (one.setting ?? one.name) === setting)?.name ?? null;
}

/** Minutes between runs that can be chosen: those that the operator allows, and what is chosen already. */
export function schedules(minMinutes: number, chosen: number | null): readonly number[] {
  const usual = [15, 60, 360, 720, 1_440, 10_080].filter((minutes) => minutes >= minMinutes);
  const all = new Set([...(usual.length === 0 ? [minMinutes] : usual), ...(chosen === null ? [] : [chosen])]);
  return [...all].sort((a, b) => a - b);
}
