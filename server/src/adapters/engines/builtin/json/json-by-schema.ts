import { type Schema, allows, isSchema, listOf, numberOf, resolve, typeOf } from './schema.ts';

/** Where in the value a schema stands: names of properties from the root; items of arrays have their number. */
export type Path = readonly (string | number)[];

/**
 * What a text says for one place of a value: the value, or undefined when it says nothing. `optional` places without a
 * value are left out.
 */
export type Suggest = (path: Path, schema: Schema, optional: boolean) => unknown;

/** Objects and arrays below this are as empty as they can be. */
const MAX_DEPTH = 12;
/** Values made for one schema at most, against schemas that would fill the memory. */
const MAX_VALUES = 1_000;
const MAX_ITEMS = 200;
const MAX_STRING_LENGTH = 4_096;

/** Values of the usual formats (draft 2020-12, section 7.3), for places of which nothing was suggested. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * A value for a JSON schema, filled with what `suggest` knows. Reads types, const, enum, required, bounds of numbers,
 * lengths and items, allOf, local references, and the first branch of anyOf and oneOf; patterns, `not`, conditions and
 * `uniqueItems` are left unread.
 */
export function valueBySchema(root: unknown, suggest: Suggest): unknown {
  let left = MAX_VALUES;

  /** `item`: what was suggested for it as an item of an array. */
  const make = (unresolved: unknown, path: Path, optional: boolean, item?: unknown): unknown => {
    const schema = resolve(unresolved, root);
    left--;
    if ('const' in schema) return schema['const'];
    const type = typeOf(schema);
    const options = listOf(schema['enum']);
    if (type === 'object' && options.length === 0) return makeObject(schema, path);
    const suggested = item ?? suggest(path, schema, optional) ?? schema['default'];
    if (options.length > 0) return options.includes(suggested) ? suggested : options[0];
    if (type === 'array') return makeArray(schema, path, listOf(suggested));
    if (type === 'null' || (allows(schema, 'null') && (suggested === undefined || suggested === null))) return null;
    if (type === 'boolean') return suggested === true;
    return type === 'string' ? makeString(schema, suggested) : makeNumber(schema, suggested, type === 'integer');
  };

  const makeObject = (schema: Schema, path: Path): unknown => {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {};
    const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'));
    const made = new Map<string, unknown>();
    for (const name of new Set([...required, ...Object.keys(properties)])) {
      const property = Object.hasOwn(properties, name) ? properties[name] : {};
      const at = [...path, name];
      if (path.length < MAX_DEPTH && left > 0 && (required.has(name) || saysSomething(property, at)))
        made.set(name, make(property, at, !required.has(name)));
      else if (required.has(name)) made.set(name, null);
    }
    return Object.fromEntries(made);
  };

  /** Whether the text says something for an optional property: for itself or, where it is an object, for a part of it. */
  const saysSomething = (property: unknown, path: Path): boolean => {
    const schema = resolve(property, root);
    if (property === false || path.length > MAX_DEPTH || left-- < 0) return false;
    const inner = schema['properties'];
    return isSchema(inner)
      ? Object.entries(inner).some(([name, part]) => saysSomething(part, [...path, name]))
      : suggest(path, schema, true) !== undefined;
  };

  const makeArray = (schema: Schema, path: Path, suggested: readonly unknown[]): unknown => {
    const least = Math.min(numberOf(schema['minItems']) ?? 0, MAX_ITEMS);
    const most = Math.min(numberOf(schema['maxItems']) ?? MAX_ITEMS, MAX_ITEMS);
    const wanted = path.length < MAX_DEPTH ? Math.min(Math.max(least, suggested.length), most) : least;
    return Array.from({ length: left > 0 ? wanted : 0 }, (_, i) =>
      make(schema['items'], [...path, i], false, suggested[i]),
    );
  };

  return make(root, [], false);
}

/** A number within the bounds of its schema, as near to what was suggested as they let it be. */
function makeNumber(schema: Schema, suggested: unknown, whole: boolean): number {
  const step = numberOf(schema['multipleOf']) ?? (whole ? 1 : 0);
  const unit = step > 0 ? step : 1;
  const above = numberOf(schema['exclusiveMinimum']);
  const below = numberOf(schema['exclusiveMaximum']);
  const between = above !== null && below !== null ? (below - above) / 2 : unit;
  const inset = step > 0 ? unit : Math.min(unit, between);
  const low = Math.max(numberOf(schema['minimum']) ?? -Infinity, above === null ? -Infinity : above + inset);
  const high = Math.min(numberOf(schema['maximum']) ?? Infinity, below === null ? Infinity : below - inset);
  const wanted = numberOf(suggested) ?? 0;
  const near = Math.min(Math.max(Math.abs(wanted) <= Number.MAX_SAFE_INTEGER ? wanted : 0, low), high);
  if (step <= 0) return near;
  const rounded = Math.round(near / unit) * unit;
  const value =
    rounded < low ? Math.ceil(low / unit) * unit : rounded > high ? Math.floor(high / unit) * unit : rounded;
  return value === 0 ? 0 : value;
}

/** A text of the wanted length: what was suggested, else one for its format. */
function makeString(schema: Schema, suggested: unknown): string {
  const format = typeof schema['format'] === 'string' ? formats[schema['format']] : undefined;
  const text = Array.from(typeof suggested === 'string' ? suggested : (format ?? ''));
  const least = Math.min(numberOf(schema['minLength']) ?? 0, MAX_STRING_LENGTH);
  const cut = text.slice(0, numberOf(schema['maxLength']) ?? MAX_STRING_LENGTH);
  return cut.join('') + '-'.repeat(Math.max(0, least - cut.length));
}
