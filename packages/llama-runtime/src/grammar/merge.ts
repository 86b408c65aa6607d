import { decimalOf, decimalText, leastCommonMultiple } from './decimal.ts';
import { equal, inBoth } from './equal.ts';
import { ANNOTATIONS, type Schema, isSchema, normaliseKeywords } from './keywords.ts';
import { PARTS, allOf, joinedParts } from './shape.ts';

/** Schemas whose meeting cannot be written down. */
export class CannotMerge extends Error {}

/** Schemas that no value can meet together. */
export class Contradiction extends CannotMerge {}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

function commonTypes(a: unknown, b: unknown): unknown {
  const [first, second] = [listOf(a), listOf(b)];
  const both = first.filter((type) => second.includes(type) || (type === 'integer' && second.includes('number')));
  if (second.includes('integer') && first.includes('number') && !both.includes('integer')) both.push('integer');
  if (both.length === 0) throw new Contradiction('types that exclude each other');
  return both.length === 1 ? both[0] : both;
}

/** Keywords of which the larger, or the smaller, of two counts. */
const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
/** Keywords that are merged together with others. */
const TOGETHER = new Set<string>([
  'properties',
  'patternProperties',
  'additionalProperties',
  PARTS,
  'items',
  'prefixItems',
  ...ALTERNATIVES,
]);

/** Further lists of alternatives of a merged schema. */
const ALSO = '\0also';
class Also {
  readonly list: readonly Schema[];
  constructor(list: readonly Schema[]) {
    this.list = list;
  }
}
const alsoOf = (schema: Schema): readonly Schema[] => {
  const kept = schema[ALSO];
  return kept instanceof Also ? kept.list : [];
};

/** Further expressions of a merged schema that are all found in a text. */
const PATTERNS = '\0patterns';
class Patterns {
  readonly list: readonly string[];
  constructor(list: readonly string[]) {
    this.list = list;
  }
}

/** The regular expressions of a schema. */
export function patternsOf(schema: Schema): readonly string[] {
  const { pattern, [PATTERNS]: kept } = schema;
  return [...(typeof pattern === 'string' ? [pattern] : []), ...(kept instanceof Patterns ? kept.list : [])];
}

/** A merged schema's next list of alternatives beside the rest of it; null when there is none. */
export function nextAlternatives(schema: Schema): { readonly rest: Schema; readonly next: Schema } | null {
  const [next, ...others] = alsoOf(schema);
  if (!next) return null;
  const { [ALSO]: _taken, ...rest } = schema;
  return { rest: others.length === 0 ? rest : { ...rest, [ALSO]: new Also(others) }, next };
}

function mergeMultiple(a: unknown, b: unknown): unknown {
  if (!(Number(a) > 0 && Number(b) > 0)) return a;
  const { digits, scale } = leastCommonMultiple(decimalOf(Number(a)), decimalOf(Number(b)));
  return Number(decimalText(digits, scale));
}

function mergeKey(key: string, a: unknown, b: unknown): unknown {
  if (ANNOTATIONS.has(key) || equal(a, b)) return a;
  if (key === 'type') return commonTypes(a, b);
  if (key === 'required') return [...new Set([...listOf(a), ...listOf(b)])];
  if (LARGER.has(key)) return Math.max(Number(a), Number(b));
  if (SMALLER.has(key)) return Math.min(Number(a), Number(b));
  if (key === 'enum') {
    const both = inBoth(listOf(a), listOf(b));
    if (both.length === 0) throw new Contradiction('enums without a common value');
    return both;
  }
  if (key === 'const') throw new Contradiction('constants that differ');
  if (key === 'propertyNames') return allOf([a, b]);
  if (key === 'multipleOf') return mergeMultiple(a, b);
  if (key === 'uniqueItems') return a === true || b === true;
  if (key === 'nullable') return a === true && b === true;
  if (key === 'format') throw new CannotMerge('two formats');
  if (key === 'not') return { anyOf: [a, b] };
  // What remains is a note of an unknown kind, or is refused as it stands.
  return a;
}

/** Items of arrays at each place, and after. */
function joinedItems(a: Schema, b: Schema): Schema {
  const [first, second] = [a, b].map(({ prefixItems, items = true }) => ({
    prefix: Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [],
    items,
  }));
  if (!first || !second) return {};
  const length = Math.max(first.prefix.length, second.prefix.length);
  const at = (side: typeof first, i: number) => (i < side.prefix.length ? side.prefix[i] : side.items);
  const prefix = Array.from({ length }, (_, i) => allOf([at(first, i), at(second, i)]));
  const items = allOf([first.items, second.items]);
  return { ...(length > 0 ? { prefixItems: prefix } : {}), ...(items === true ? {} : { items }) };
}

function joinedAlternatives(a: Schema, b: Schema): Schema {
  const out: Record<string, unknown> = {};
  const also = [...alsoOf(a), ...alsoOf(b)];
  for (const key of ALTERNATIVES) {
    if (key in a) out[key] = a[key];
    if (!(key in b)) continue;
    if (!(key in a)) out[key] = b[key];
    else if (!equal(a[key], b[key])) also.push({ [key]: b[key] });
  }
  return also.length === 0 ? out : { ...out, [ALSO]: new Also(also) };
}

/** One schema for values that meet both. Throws {@link CannotMerge}. */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const [a, b] = [normaliseKeywords(one), normaliseKeywords(other)];
  const patterns = [...new Set([...patternsOf(a), ...patternsOf(b)])];
  const out: Record<string, unknown> = {};
  for (const [key, value] of [...Object.entries(a), ...Object.entries(b)]) {
    if (TOGETHER.has(key) || key === ALSO || key === 'pattern' || key === PATTERNS) continue;
    out[key] = key in out ? mergeKey(key, out[key], value) : value;
  }
  const [pattern, ...others] = patterns;
  if (pattern !== undefined) out['pattern'] = pattern;
  if (others.length > 0) out[PATTERNS] = new Patterns(others);
  return { ...out, ...joinedParts(a, b), ...joinedItems(a, b), ...joinedAlternatives(a, b) };
}

/** Whether a schema says nothing of values beside one keyword. */
export const isOnlyKeyword = (schema: Schema, keyword: string): boolean =>
  Object.keys(schema).every((key) => key === keyword || ANNOTATIONS.has(key)) && isSchema(schema);
