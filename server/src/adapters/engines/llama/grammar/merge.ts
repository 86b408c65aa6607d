/** A JSON schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Two schemas that no value can meet together, or whose meeting cannot be written down. */
export class CannotMerge extends Error {}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function commonTypes(a: unknown, b: unknown): unknown {
  const [first, second] = [listOf(a), listOf(b)];
  const both = first.filter((type) => second.includes(type) || (type === 'integer' && second.includes('number')));
  if (second.includes('integer') && first.includes('number') && !both.includes('integer')) both.push('integer');
  if (both.length === 0) throw new CannotMerge('types that exclude each other');
  return both.length === 1 ? both[0] : both;
}

/** Keywords of which the larger, or the smaller, of two counts. */
const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords that say nothing about values. */
const NOTES = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

function mergeKey(key: string, a: unknown, b: unknown): unknown {
  if (NOTES.has(key) || same(a, b)) return a;
  if (key === 'type') return commonTypes(a, b);
  if (key === 'required') return [...new Set([...listOf(a), ...listOf(b)])];
  if (LARGER.has(key)) return Math.max(Number(a), Number(b));
  if (SMALLER.has(key)) return Math.min(Number(a), Number(b));
  if (key === 'enum') {
    const both = listOf(a).filter((value) => listOf(b).some((other) => same(value, other)));
    if (both.length === 0) throw new CannotMerge('enums without a common value');
    return both;
  }
  if (key === 'properties' && isSchema(a) && isSchema(b)) return mergeProperties(a, b);
  if (key === 'additionalProperties' || key === 'items') {
    if (a === false || b === false) return false;
    if (a === true) return b;
    if (b === true) return a;
    if (isSchema(a) && isSchema(b)) return { allOf: [a, b] };
  }
  throw new CannotMerge(`two different values of ${key}`);
}

function mergeProperties(a: Schema, b: Schema): Schema {
  const out: Record<string, unknown> = { ...a };
  for (const [name, schema] of Object.entries(b)) out[name] = name in out ? { allOf: [out[name], schema] } : schema;
  return out;
}

/** One schema for values that meet both. Throws {@link CannotMerge}. */
export function mergeSchemas(a: Schema, b: Schema): Schema {
  const out: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) out[key] = key in out ? mergeKey(key, out[key], value) : value;
  return out;
}
