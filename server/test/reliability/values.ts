import type { Ids, Kind } from './estate.ts';
import { FICKLE_EMBEDDER, FICKLE_RERANKER } from './fickle-server.ts';
import type { JsonSchema } from './operations.ts';
import type { Chance } from './seeded.ts';

/** What values are made with. */
export interface Making {
  readonly chance: Chance;
  /** Ids that exist, of every kind. */
  readonly ids: readonly string[];
  /** Those that stand where an id of their kind is asked for. */
  readonly own: Ids;
  readonly resolve: (ref: string) => JsonSchema;
}

const NESTED = 40;
const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });

/** Values that break careless readers, writers and databases. */
const hostile: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  2 ** 31,
  '\u0000',
  'a\u0000b',
  '\ud800',
  '‮\ufeff',
  '👩‍👩‍👧',
  'x'.repeat(5_000),
  '%00',
  '../../etc/passwd',
  "' OR 1=1 --",
  '9'.repeat(30),
  '0x10',
  'NaN',
  '+275760-09-13T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  [],
  {},
  [[]],
  [null],
  { a: [] },
  { constructor: { prototype: 1 } },
  { $ref: '#' },
  deep(NESTED),
  Array.from({ length: 200 }, () => 'a'),
];
/** The same for parts of addresses and their questions. */
const hostileText = hostile.filter((value): value is string => typeof value === 'string' && value !== '\ud800');

const words = ['CORE-GOV', 'Hello', '연차 휴가', '6 * 7?', 'a', 'Rules', 'hong@example.kr', 'https://192.0.2.1/x', '1'];
/** Fields whose values are ids of a kind. */
const namesKind: Readonly<Record<string, readonly Kind[]>> = {
  collection_id: ['collection'],
  collection_ids: ['collection'],
  collections: ['collection'],
  document_id: ['document'],
  expected: ['document'],
  key_id: ['key'],
  user_id: ['person'],
  tenant_id: ['tenant'],
  session_id: ['privacySession', 'agentSession', 'chatSession'],
  version_id: ['version'],
  what: ['version'],
  review_id: ['review'],
  run_id: ['run', 'chatRun'],
  files: ['file'],
  replace_from: ['message'],
};
/** Fields whose values are ids, whatever their schema says of them. */
const namesId = /(?:^|_)ids?$|^(?:collections?|files|expected|what|version|token|model)$/;

const namesModel = /(?:^|_)model$/;
const models = ['CORE-GOV', 'lexical', FICKLE_EMBEDDER, FICKLE_RERANKER];

function textFor(name: string, { format, maxLength = 200 }: JsonSchema, { chance, ids, own }: Making): string {
  const kinds = namesKind[name];
  if (kinds && chance.hits(0.7)) return own[chance.pick(kinds)];
  if (namesModel.test(name) && chance.hits(0.5)) return chance.pick(models);
  if (namesId.test(name) && chance.hits(0.8)) return chance.pick(ids);
  if (format === 'date-time') return new Date(1.7e12 + chance.below(1e11)).toISOString();
  if (format === 'email') return `somebody${chance.below(1e6)}@example.kr`;
  return chance.pick([...words, chance.pick(ids)]).slice(0, maxLength);
}

function objectFor(schema: JsonSchema, making: Making, depth: number): Record<string, unknown> {
  const { chance } = making;
  const required = new Set(schema.required);
  const made = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || chance.hits(0.35))
    .map(([name, one]) => [name, valueFor(one, making, name, depth + 1)]);
  return Object.fromEntries(made) as Record<string, unknown>;
}

/** A value that the schema mostly allows; ids that exist stand where ids are asked for. */
export function valueFor(schema: JsonSchema, making: Making, name = '', depth = 0): unknown {
  const { chance, resolve } = making;
  if (depth > 12) return null;
  if (schema.$ref !== undefined) return valueFor(resolve(schema.$ref), making, name, depth + 1);
  if ('const' in schema) return schema.const;
  if (schema.enum) return chance.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueFor(chance.pick(choices), making, name, depth + 1);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((one) => valueFor(one, making, name, depth + 1))) as object;
  const type = typeof schema.type === 'string' ? schema.type : chance.pick(schema.type ?? ['string', 'object']);
  switch (type) {
    case 'object':
      return objectFor(schema, making, depth);
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, chance.below(3)) }, () =>
        valueFor(typeof schema.items === 'object' ? schema.items : {}, making, name, depth + 1),
      );
    case 'integer':
    case 'number': {
      const least = schema.minimum ?? 0;
      return least + chance.below(Math.min(20, (schema.maximum ?? least + 20) - least + 1));
    }
    case 'boolean':
      return chance.hits(0.5);
    case 'null':
      return null;
    default:
      return textFor(name, schema, making);
  }
}

/** A copy of the value with one place in it that is wrong: something hostile, an id of another thing, or nothing. */
export function damaged(value: unknown, making: Making): unknown {
  const { chance, ids } = making;
  if (typeof value !== 'object' || value === null || chance.hits(0.1))
    return chance.hits(0.5) ? chance.pick(hostile) : chance.pick(ids);
  const entries = Object.entries(value);
  if (entries.length === 0) return chance.pick(hostile);
  const at = chance.below(entries.length);
  if (Array.isArray(value)) return value.map((one, index) => (index === at ? damaged(one, making) : (one as unknown)));
  const kept = entries.filter((_, index) => index !== at || chance.hits(0.85));
  return Object.fromEntries(kept.map(([key, one], index) => [key, index === at ? damaged(one, making) : one]));
}

/** Text for an address: what the schema allows, or something hostile. */
export function queryText(schema: JsonSchema, making: Making, name: string): string {
  const { chance, ids } = making;
  if (chance.hits(0.15)) return chance.pick(hostileText);
  if (chance.hits(0.15)) return chance.pick(ids);
  const value = valueFor(schema, making, name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const pathText = ({ chance }: Making): string => chance.pick(hostileText.filter((text) => text !== ''));
