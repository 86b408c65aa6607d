import { inBounds, makeNumber, makeString, sizeFits } from './leaf-values.ts';
import {
  type Schema,
  flattened,
  isSchema,
  listOf,
  merge,
  numberOf,
  resolve,
  sameJson,
  setOwn,
  typeOf,
  typesIn,
} from './schema.ts';

/** Where in the value a schema stands: names of properties from the root; items of arrays have their number. */
export type Path = readonly (string | number)[];

/**
 * What a text says for one place of a value: the value, or undefined when it says nothing. `optional` places without a
 * value are left out.
 */
export type Suggest = (path: Path, schema: Schema, optional: boolean) => unknown;

/** Nested objects, arrays and references beyond this are as empty as their schema lets them be. */
const DEEP = 12;
const MAX_DEPTH = 40;
/** Values made for one schema at most, against schemas that would fill the memory. */
const MAX_VALUES = 5_000;
const MAX_ITEMS = 1_000;

interface Making {
  readonly root: unknown;
  readonly suggest: Suggest;
  left: number;
}

/**
 * A value that obeys a JSON schema, filled with what `suggest` knows. Obeys types, const, enum, anyOf, oneOf, allOf,
 * local references, bounds of numbers, lengths, items and properties; `not` and conditions are left unread.
 */
export function valueBySchema(schema: unknown, suggest: Suggest): unknown {
  return make(schema, [], false, { root: schema, suggest, left: MAX_VALUES }, 0);
}

function make(unresolved: unknown, path: Path, optional: boolean, making: Making, depth: number): unknown {
  const resolved = resolve(unresolved, making.root);
  if (!isSchema(resolved)) return making.suggest(path, {}, optional) ?? null;
  const schema = flattened(resolved, making.root);
  making.left--;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return fromEnum(schema, path, optional, making);
  const branches = branchesOf(schema, making, depth);
  if (branches) return make(branches, path, optional, making, depth + 1);
  const types = typesIn(schema['type']);
  if (depth > MAX_DEPTH || (making.left < 0 && types.includes('null')))
    return types.includes('null') || types.length === 0 ? null : emptyOf(typeOf(schema), schema);
  const type = typeOf(schema);
  if (type === 'object') return makeObject(schema, path, making, depth);
  if (type === 'array') return makeArray(schema, path, making, depth);
  const said = making.suggest(path, schema, optional);
  if (said === null && types.includes('null')) return null;
  if (type === 'boolean') return typeof said === 'boolean' ? said : schema['default'] === true;
  if (type === 'null') return null;
  if (said === undefined && types.includes('null') && types.length > 1) return null;
  if (type !== 'string') return makeNumber(schema, said, type === 'integer');
  const text = makeString(schema, said);
  making.left -= Math.floor(text.length / 64);
  return text;
}

const emptyOf = (type: string, schema: Schema): unknown =>
  type === 'object'
    ? {}
    : type === 'array'
      ? []
      : type === 'boolean'
        ? false
        : type === 'string'
          ? makeString(schema, undefined)
          : type === 'null'
            ? null
            : makeNumber(schema, undefined, type === 'integer');

function fromEnum(schema: Schema, path: Path, optional: boolean, making: Making): unknown {
  const types = typesIn(schema['type']);
  const all = listOf(schema['enum']);
  const options = types.length === 0 ? all : all.filter((option) => types.some((type) => isOfType(option, type)));
  const said = making.suggest(path, schema, optional);
  const found =
    options.find((option) => sameJson(option, said)) ?? options.find((option) => sameJson(option, schema['default']));
  return found === undefined ? (options[0] ?? null) : found;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchema(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** The branch of `anyOf` or `oneOf` to follow, together with the rest of the schema; null when there is none. */
function branchesOf(schema: Schema, making: Making, depth: number): Schema | null {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const options = listOf(schema[key])
      .map((option) => resolve(option, making.root))
      .filter((option) => option !== false);
    if (options.length === 0) continue;
    const { [key]: _, ...rest } = schema;
    const schemas = options.map((option) => (isSchema(option) ? option : {}));
    // Deep down the plainest branch ends a reference to itself.
    const deep =
      depth > DEEP
        ? schemas.find((option) => !['object', 'array'].includes(typeOf(option)) && option['anyOf'] === undefined)
        : undefined;
    const chosen = deep ?? schemas.find((option) => !typesIn(option['type']).includes('null')) ?? schemas[0] ?? {};
    return merge(rest, chosen);
  }
  return null;
}

function makeObject(schema: Schema, path: Path, making: Making, depth: number): Record<string, unknown> {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'));
  const out: Record<string, unknown> = {};
  const most = numberOf(schema['maxProperties']) ?? Infinity;
  const least = numberOf(schema['minProperties']) ?? 0;
  for (const name of required) setOwn(out, name, null);
  let size = required.size;
  for (const [name, property] of Object.entries(properties)) {
    if (required.has(name)) {
      setOwn(out, name, make(property, [...path, name], false, making, depth + 1));
      continue;
    }
    if (property === false || size >= most || making.left < 0) continue;
    const wanted = depth < DEEP && saysSomething(property, [...path, name], making, depth);
    if (!wanted && size >= least) continue;
    setOwn(out, name, make(property, [...path, name], !wanted, making, depth + 1));
    size++;
  }
  const others = schema['additionalProperties'];
  for (const name of required)
    if (!Object.hasOwn(properties, name))
      setOwn(out, name, make(isSchema(others) ? others : {}, [...path, name], false, making, depth + 1));
  for (let i = 1; size < Math.min(least, MAX_ITEMS) && others !== false; i++) {
    if (Object.hasOwn(out, `key${i}`)) continue;
    setOwn(out, `key${i}`, make(isSchema(others) ? others : {}, [...path, `key${i}`], true, making, depth + 1));
    size++;
  }
  return out;
}

/** Whether the text says something for an optional property: for itself or, where it is an object, for a part of it. */
function saysSomething(property: unknown, path: Path, making: Making, depth: number): boolean {
  const resolved = resolve(property, making.root);
  if (!isSchema(resolved) || depth > DEEP) return false;
  const schema = flattened(resolved, making.root);
  if (making.suggest(path, branchesOf(schema, making, depth) ?? schema, true) !== undefined) return true;
  const inner = schema['properties'];
  return (
    isSchema(inner) &&
    path.length < 4 &&
    Object.entries(inner).some(
      ([name, part]) => isSchema(part) && making.suggest([...path, name], part, true) !== undefined,
    )
  );
}

function makeArray(schema: Schema, path: Path, making: Making, depth: number): unknown[] {
  const first = listOf(schema['prefixItems']);
  const items = schema['items'];
  const said = listOf(making.suggest(path, schema, false));
  const least = numberOf(schema['minItems']) ?? 0;
  const most = Math.min(numberOf(schema['maxItems']) ?? Infinity, MAX_ITEMS, items === false ? first.length : Infinity);
  const wanted = depth > DEEP || making.left < 0 ? least : Math.max(least, said.length, first.length);
  const out: unknown[] = [];
  for (let i = 0; i < Math.min(Math.ceil(wanted), most) && making.left > -MAX_ITEMS; i++) {
    const itemSchema = first[i] ?? items ?? {};
    const value =
      i < said.length
        ? make(
            itemSchema,
            [...path, i],
            false,
            {
              root: making.root,
              left: 50,
              suggest: (at, s, o) => (at.length === path.length + 1 ? said[i] : making.suggest(at, s, o)),
            },
            depth + 1,
          )
        : make(itemSchema, [...path, i], false, making, depth + 1);
    const distinct = schema['uniqueItems'] === true ? variant(value, out, resolve(itemSchema, making.root)) : value;
    if (distinct === undefined) {
      if (out.length >= least) continue;
      out.push(value);
    } else out.push(distinct);
  }
  return out;
}

/** A value unlike those before it, where its schema has others. */
function variant(value: unknown, before: readonly unknown[], schema: Schema | boolean): unknown {
  const taken = new Set(before.map((other) => JSON.stringify(other)));
  const isFree = (candidate: unknown) => !taken.has(JSON.stringify(candidate));
  if (isFree(value) || !isSchema(schema)) return value;
  const options = Array.isArray(schema['enum']) ? listOf(schema['enum']) : typeof value === 'boolean' ? [!value] : null;
  if (options) return options.find(isFree);
  for (let i = 1; i <= before.length + 1; i++) {
    const step = numberOf(schema['multipleOf']) ?? 1;
    for (const next of typeof value === 'number'
      ? [value + i * step, value - i * step]
      : typeof value === 'string'
        ? [`${value}${i}`, `${value.slice(0, -String(i).length)}${i}`]
        : []) {
      if (isFree(next) && (typeof next === 'number' ? inBounds(next, schema) : sizeFits(String(next), schema)))
        return next;
    }
  }
  return undefined;
}
