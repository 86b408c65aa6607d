import { stringByPattern } from './string-by-pattern.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Where in the value a schema stands: names of properties from the root; items of arrays have their number. */
export type Path = readonly (string | number)[];

/**
 * What a text says for one place of a value: the value, or undefined when it says nothing. `optional` places without a
 * value are left out.
 */
export type Suggest = (path: Path, schema: Schema, optional: boolean) => unknown;

/** Nested objects, arrays and references beyond this are as empty as their schema lets them be. */
const DEEP = 12;
const DEEPEST = 40;
/** Values made for one schema at most, against schemas that would fill the memory. */
const MOST_VALUES = 5_000;
const MOST_ITEMS = 1_000;
const LONGEST_STRING = 4_096;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Properties are set so that a name such as `__proto__` is a name like any other. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

interface Making {
  readonly root: unknown;
  readonly suggest: Suggest;
  left: number;
}

function resolve(schema: unknown, root: unknown, hops = 0): Schema | boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isSchema(schema)) return {};
  const ref = schema['$ref'];
  if (typeof ref !== 'string' || hops > 20) return schema;
  let at: unknown = root;
  if (ref !== '#') {
    if (!ref.startsWith('#/')) return schema;
    for (const part of ref.slice(2).split('/')) {
      const name = safeDecode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at =
        isSchema(at) && Object.hasOwn(at, name)
          ? at[name]
          : Array.isArray(at)
            ? (at as unknown[])[Number(name)]
            : undefined;
    }
  }
  const { $ref: _, ...rest } = schema;
  const target = resolve(at, root, hops + 1);
  return typeof target === 'boolean' || Object.keys(rest).length === 0 ? target : merge(target, rest);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const tighter: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
};

/** Both schemas at once, as `allOf` asks. */
function merge(a: Schema, b: Schema): Schema {
  const out: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const own = out[key];
    const bound = tighter[key];
    if (own === undefined) out[key] = value;
    else if (key === 'properties' && isSchema(own) && isSchema(value)) {
      const both: Record<string, unknown> = { ...own };
      for (const [name, property] of Object.entries(value))
        setOwn(both, name, Object.hasOwn(own, name) ? { allOf: [own[name], property] } : property);
      out[key] = both;
    } else if (key === 'required') out[key] = [...new Set([...listOf(own), ...listOf(value)])];
    else if (key === 'enum')
      out[key] = listOf(own).filter((option) => listOf(value).some((other) => sameJson(option, other)));
    else if (bound && typeof own === 'number' && typeof value === 'number') out[key] = bound(own, value);
    else if (key === 'type') {
      const common = typesIn(own).filter(
        (type) => typesIn(value).includes(type) || (type === 'integer' && typesIn(value).includes('number')),
      );
      const whole = typesIn(own).includes('number') && typesIn(value).includes('integer');
      out[key] = whole ? ['integer', ...common.filter((type) => type !== 'integer')] : common;
    } else if (key === 'items') out[key] = { allOf: [own, value] };
    else if (key === 'allOf' || key === 'anyOf' || key === 'oneOf')
      out['allOf'] = [...listOf(out['allOf']), { [key]: value }];
    else if (key === 'const' && !sameJson(own, value)) out['enum'] = [];
    else if (key === 'additionalProperties' && own === false) continue;
    else out[key] = value;
  }
  return out;
}

const typesIn = (type: unknown): string[] =>
  Array.isArray(type)
    ? (type as unknown[]).filter((t) => typeof t === 'string')
    : typeof type === 'string'
      ? [type]
      : [];

function typeOf(schema: Schema): string {
  const types = typesIn(schema['type']);
  const first = types.find((type) => type !== 'null') ?? types[0];
  if (first !== undefined) return first;
  if (isSchema(schema['properties']) || Array.isArray(schema['required']) || numberOf(schema['minProperties']) !== null)
    return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined || numberOf(schema['minItems']) !== null)
    return 'array';
  return ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].some((key) => key in schema)
    ? 'number'
    : 'string';
}

function flattened(schema: Schema, root: unknown, depth = 0): Schema {
  const parts = listOf(schema['allOf']);
  if (parts.length === 0 || depth > DEEPEST) return schema;
  const { allOf: _, ...rest } = schema;
  let out: Schema = rest;
  for (const part of parts.slice(0, 200)) {
    const resolved = resolve(part, root);
    if (isSchema(resolved)) out = merge(out, flattened(resolved, root, depth + 1));
  }
  return Array.isArray(out['allOf']) ? flattened(out, root, depth + 1) : out;
}

/**
 * A value that obeys a JSON schema, filled with what `suggest` knows. Obeys types, const, enum, anyOf, oneOf, allOf,
 * local references, bounds of numbers, lengths, items and properties; `not` and conditions are left unread.
 */
export function valueBySchema(schema: unknown, suggest: Suggest): unknown {
  return make(schema, [], false, { root: schema, suggest, left: MOST_VALUES }, 0);
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
  if (depth > DEEPEST || (making.left < 0 && types.includes('null')))
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
  for (let i = 1; size < Math.min(least, MOST_ITEMS) && others !== false; i++) {
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
  const most = Math.min(
    numberOf(schema['maxItems']) ?? Infinity,
    MOST_ITEMS,
    items === false ? first.length : Infinity,
  );
  const wanted = depth > DEEP || making.left < 0 ? least : Math.max(least, said.length, first.length);
  const out: unknown[] = [];
  for (let i = 0; i < Math.min(Math.ceil(wanted), most) && making.left > -MOST_ITEMS; i++) {
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

const inBounds = (value: number, s: Schema) =>
  value >= (numberOf(s['minimum']) ?? -Infinity) &&
  value <= (numberOf(s['maximum']) ?? Infinity) &&
  value > (numberOf(s['exclusiveMinimum']) ?? -Infinity) &&
  value < (numberOf(s['exclusiveMaximum']) ?? Infinity);

const lengthOf = (text: string) => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

const sizeFits = (text: string, s: Schema) => {
  const length = lengthOf(text);
  return length >= (numberOf(s['minLength']) ?? 0) && length <= (numberOf(s['maxLength']) ?? Infinity);
};

/** A number within the bounds of its schema, as near to what was said as they let it be. */
function makeNumber(s: Schema, said: unknown, whole: boolean): number {
  const given = numberOf(said) ?? numberOf(s['default']) ?? 0;
  const preferred = Math.abs(given) <= Number.MAX_SAFE_INTEGER ? given : 0;
  const step = numberOf(s['multipleOf']) ?? (whole ? 1 : null);
  if (inBounds(preferred, s) && isMultiple(preferred, step) && (!whole || Number.isInteger(preferred)))
    return preferred;
  const low = Math.max(numberOf(s['minimum']) ?? -Infinity, numberOf(s['exclusiveMinimum']) ?? -Infinity);
  const high = Math.min(numberOf(s['maximum']) ?? Infinity, numberOf(s['exclusiveMaximum']) ?? Infinity);
  const near = Math.min(Math.max(preferred, low), high);
  if (step !== null && step > 0) {
    const unit = whole && !Number.isInteger(step) ? step * denominator(step) : step;
    const nearest = near / unit;
    for (const n of [
      Math.round(nearest),
      Math.ceil(nearest),
      Math.floor(nearest),
      Math.ceil(nearest) + 1,
      Math.floor(nearest) - 1,
    ]) {
      const value = tidy(n * unit);
      if (inBounds(value, s) && Number.isFinite(value)) return value === 0 ? 0 : value;
    }
    return whole ? Math.round(near) : near;
  }
  const middle =
    Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : Number.isFinite(low) ? low + 1 : high - 1;
  return [near, middle].find((value) => Number.isFinite(value) && inBounds(value, s)) ?? 0;
}

/** Without the noise of binary fractions. */
const tidy = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(15)));
const isMultiple = (value: number, step: number | null) => step === null || step <= 0 || Number.isInteger(value / step);

function denominator(step: number): number {
  for (let n = 1; n <= 1_000; n++) if (Number.isInteger(tidy(step * n))) return n;
  return 1;
}

/** Values of the formats of JSON schema (draft 2020-12, section 7.3). Each is right by itself. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  'idn-email': 'name@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  iri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/',
  regex: '.*',
  'uri-template': '/{id}',
  byte: '',
};

/** What a text of a format looks like, to tell whether what was said is one. */
const formatShapes: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?$/,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  url: /^[a-z][a-z0-9+.-]*:\S+$/i,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  ipv4: /^\d{1,3}(?:\.\d{1,3}){3}$/,
  hostname: /^[a-z0-9.-]{1,253}$/i,
};

/** A pattern that cannot take long on a short text: few open repetitions, none inside another. */
const isTame = (pattern: string) =>
  pattern.length <= 200 &&
  !/[+*}]\)[+*{?]/.test(pattern) &&
  (pattern.match(/[+*]|,\}/g)?.length ?? 0) <= 3 &&
  !/\\[1-9k]|\(\?/.test(pattern.replaceAll('(?:', '('));

function patternFits(text: string, pattern: string): boolean {
  if (!isTame(pattern) || text.length > 100) return false;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

function makeString(s: Schema, said: unknown): string {
  const least = Math.min(numberOf(s['minLength']) ?? 0, LONGEST_STRING);
  const most = numberOf(s['maxLength']) ?? Infinity;
  const format = typeof s['format'] === 'string' ? s['format'] : null;
  const pattern = typeof s['pattern'] === 'string' ? s['pattern'] : null;
  const given = [said, s['default'], ...listOf(s['examples'])].filter((text) => typeof text === 'string');
  const fit = given.find(
    (text) =>
      (pattern === null || patternFits(text, pattern)) &&
      (format === null || (formatShapes[format]?.test(text) ?? true)) &&
      sizeFits(text, s),
  );
  if (fit !== undefined) return fit;
  if (pattern !== null) {
    const made = stringByPattern(pattern, least);
    if (made !== null) return made;
  }
  const shaped = format === null ? undefined : formats[format];
  if (shaped !== undefined && sizeFits(shaped, s)) return shaped;
  const text = pattern === null && shaped === undefined ? (given[0] ?? '') : '';
  const cut = lengthOf(text) > most ? Array.from(text).slice(0, most).join('') : text;
  return cut + '-'.repeat(Math.max(0, least - lengthOf(cut)));
}
