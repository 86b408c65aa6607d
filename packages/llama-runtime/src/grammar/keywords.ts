import { invalidSchema } from './schema-error.ts';

/** A JSON schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that say nothing about values. Source: JSON Schema 2020-12, Core section 8, Validation section 9. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$schema',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Keywords whose meaning a grammar cannot follow. */
export const UNSUPPORTED = [
  'not',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
] as const;

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

/** Keywords of one type speak for it: what stands beside would be any value otherwise. */
const IMPLIED: readonly (readonly [string, readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
      'maxProperties',
      '\0parts',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', '\0patterns', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types that a schema names; null where it names none. Throws RequestError for names that are none. */
export function namedTypes(schema: Schema, path: string): readonly string[] | null {
  const { type } = schema;
  if (type === undefined) return null;
  const given = Array.isArray(type) ? (type as unknown[]) : [type];
  const wrong = given.find((name) => !(TYPES as readonly unknown[]).includes(name));
  if (wrong !== undefined || given.length === 0)
    throw invalidSchema(`${path}.type`, `must be one of ${TYPES.join(', ')}`);
  return given as string[];
}

/** The types of values that are written for a schema. */
export function typesOf(schema: Schema, path: string): readonly string[] {
  const named = namedTypes(schema, path);
  if (named) return named;
  const implied = IMPLIED.find(([, keys]) => keys.some((key) => key in schema))?.[0];
  return implied === undefined ? ['object', 'array', 'string', 'number', 'boolean', 'null'] : [implied];
}

/** A count such as minLength. Throws RequestError. */
export function countOf(schema: Schema, key: string, path: string): number | null {
  const value = schema[key];
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw invalidSchema(`${path}.${key}`, 'must be a whole number, 0 or more');
  return value;
}

/** Names that an object must have. */
export const requiredOf = (schema: Schema): readonly string[] =>
  Array.isArray(schema['required']) ? [...new Set((schema['required'] as unknown[]).map(String))] : [];

/** Rewrites keywords of older drafts to JSON Schema 2020-12. */
export function normaliseKeywords(schema: Schema): Schema {
  const out: Record<string, unknown> = { ...schema };
  if (schema['nullable'] === true && schema['type'] !== undefined) {
    const types = Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']];
    out['type'] = [...new Set([...types, 'null'])];
    delete out['nullable'];
  }
  for (const [included, excluded] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const excludes = schema[excluded];
    if (typeof excludes !== 'boolean') continue;
    delete out[excluded];
    if (!excludes || schema[included] === undefined) continue;
    out[excluded] = schema[included];
    delete out[included];
  }
  if (Array.isArray(schema['items'])) {
    out['prefixItems'] = schema['items'];
    out['items'] = schema['additionalItems'] ?? true;
    delete out['additionalItems'];
  }
  return out;
}
