import type { ToolParameters } from './tool.ts';

// Checks what a model wrote, as arguments of a tool or as an answer, so that it is known at once what is wrong. Who serves a tool checks
// on its own: keywords that are not known here pass, and patterns, which may take any time, are left to it.

type Schema = Readonly<Record<string, unknown>>;

/** A value as it is to be used, or what is wrong with it. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };
/** Arguments as they are to be sent, or what is wrong with them. */
export type CheckedArguments = Checked<Readonly<Record<string, unknown>>>;

/** Steps that one check may take: schemas of strangers may be written to take forever. */
const MAX_STEPS = 20_000;
/** Of an answer: the longest may be a list of as many values as it has tokens. */
const MAX_ANSWER_STEPS = 200_000;
const MAX_DEPTH = 64;
const MAX_LIST_LENGTH = 20;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number';

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const typesOf = ({ type }: Schema): readonly string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];

const hasType = (value: unknown, type: string) =>
  type === typeOf(value) || (type === 'number' && typeof value === 'number');

const readNumber = (text: string): unknown =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A text as what the schema wants, where it is one of that written as text. */
function coerced(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'string' || types.length === 0 || types.includes('string')) return value;
  const text = value.trim();
  const numeric = types.includes('number') || types.includes('integer') ? readNumber(text) : text;
  const read = typeof numeric === 'number' || !/^(true|false|null|[[{])/.test(text) ? numeric : readJson(text);
  return types.some((type) => hasType(read, type)) ? read : value;
}

const isOneOf = (values: readonly unknown[], value: unknown) => {
  const text = JSON.stringify(value);
  return values.some((one) => JSON.stringify(one) === text);
};
const quotedList = (values: readonly unknown[]) =>
  values
    .slice(0, MAX_LIST_LENGTH)
    .map((value) => JSON.stringify(value))
    .join(', ') + (values.length > MAX_LIST_LENGTH ? ', …' : '');

/** Why a value does not fit. */
class SchemaMismatch extends Error {}

class Checker {
  #left: number;
  readonly #root: Schema;
  /** What is checked, as it is called where no place in it is meant. */
  readonly #whole: string;

  constructor(root: Schema, whole: string, steps: number) {
    this.#root = root;
    this.#whole = whole;
    this.#left = steps;
  }

  #placeOf(path: string): string {
    return path === '' ? this.#whole : path;
  }

  /** The value as it is to be sent. Throws SchemaMismatch. */
  check(schema: unknown, value: unknown, path: string, depth: number): unknown {
    const place = this.#placeOf(path);
    if (--this.#left < 0 || depth > MAX_DEPTH) throw new SchemaMismatch(`${this.#whole} is too complex to be checked`);
    if (schema === false) throw new SchemaMismatch(`${place} is not allowed`);
    if (!isObject(schema)) return value;
    const pointed = this.#resolved(schema);
    if (pointed !== null) value = this.check(pointed, value, path, depth + 1);
    const types = typesOf(schema);
    let now = coerced(value, types);
    if (types.length > 0 && !types.some((type) => hasType(now, type)))
      throw new SchemaMismatch(`${place} must be ${types.join(' or ')}, but is ${typeOf(now)}`);
    if (Array.isArray(schema['enum']) && !isOneOf(schema['enum'], now))
      throw new SchemaMismatch(`${place} must be one of ${quotedList(schema['enum'])}`);
    if ('const' in schema && !isOneOf([schema['const']], now))
      throw new SchemaMismatch(`${place} must be ${quotedList([schema['const']])}`);
    if (typeof now === 'string') checkText(schema, now, place);
    if (isNumber(now)) checkNumber(schema, now, place);
    if (Array.isArray(now)) now = this.#array(schema, now, path, depth);
    else if (isObject(now)) now = this.#object(schema, now, path, depth);
    return this.#combined(schema, now, path, depth);
  }

  #resolved({ $ref: ref }: Schema): unknown {
    if (typeof ref !== 'string' || !ref.startsWith('#')) return null;
    let at: unknown = this.#root;
    for (const part of ref.slice(1).split('/').slice(1)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, name) ? at[name] : Array.isArray(at) ? at[Number(name)] : null;
    }
    return at;
  }

  #array(schema: Schema, list: readonly unknown[], path: string, depth: number): unknown {
    const { minItems, maxItems, items } = schema;
    const place = this.#placeOf(path);
    if (isNumber(minItems) && list.length < minItems)
      throw new SchemaMismatch(`${place} must have at least ${minItems} items`);
    if (isNumber(maxItems) && list.length > maxItems)
      throw new SchemaMismatch(`${place} must have at most ${maxItems} items`);
    if (items === undefined || Array.isArray(items)) return list;
    return list.map((item, i) => this.check(items, item, `${path}[${i}]`, depth + 1));
  }

  #object(schema: Schema, value: Readonly<Record<string, unknown>>, path: string, depth: number): unknown {
    const known = isObject(schema['properties']) ? schema['properties'] : {};
    const { required, additionalProperties: others } = schema;
    for (const name of Array.isArray(required) ? (required as unknown[]) : [])
      if (typeof name === 'string' && !Object.hasOwn(value, name))
        throw new SchemaMismatch(`${inside(path, name)} is required`);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        if (Object.hasOwn(known, name)) return [name, this.check(known[name], one, inside(path, name), depth + 1)];
        if (others === false && !('patternProperties' in schema))
          throw new SchemaMismatch(`${inside(path, name)} is unknown; there ${knownNames(Object.keys(known))}`);
        return [name, isObject(others) ? this.check(others, one, inside(path, name), depth + 1) : one];
      }),
    );
  }

  #combined(schema: Schema, value: unknown, path: string, depth: number): unknown {
    let now = value;
    if (Array.isArray(schema['allOf'])) for (const one of schema['allOf']) now = this.check(one, now, path, depth + 1);
    // Of `oneOf` too, one that fits is enough here.
    for (const choices of [schema['anyOf'], schema['oneOf']]) {
      if (!Array.isArray(choices) || choices.length === 0) continue;
      const tried = choices.map((one) => this.#tried(one, now, path, depth));
      const fits = tried.find((one) => 'value' in one);
      if (!fits)
        throw tried.find((one) => 'misfit' in one)?.misfit ?? new SchemaMismatch(`${this.#placeOf(path)} does not fit`);
      now = fits.value;
    }
    return now;
  }

  #tried(
    schema: unknown,
    value: unknown,
    path: string,
    depth: number,
  ): { value: unknown } | { misfit: SchemaMismatch } {
    try {
      return { value: this.check(schema, value, path, depth + 1) };
    } catch (error) {
      if (error instanceof SchemaMismatch) return { misfit: error };
      throw error;
    }
  }
}

const inside = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
const knownNames = (names: readonly string[]) =>
  names.length === 0 ? 'are none' : `are ${names.slice(0, MAX_LIST_LENGTH).join(', ')}`;

function checkText({ minLength, maxLength }: Schema, text: string, path: string): void {
  if (isNumber(minLength) && text.length < minLength)
    throw new SchemaMismatch(`${path} must have at least ${minLength} characters`);
  if (isNumber(maxLength) && Array.from(text).length > maxLength)
    throw new SchemaMismatch(`${path} must have at most ${maxLength} characters`);
}

function checkNumber(schema: Schema, value: number, path: string): void {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (isNumber(minimum) && value < minimum) throw new SchemaMismatch(`${path} must be at least ${minimum}`);
  if (isNumber(maximum) && value > maximum) throw new SchemaMismatch(`${path} must be at most ${maximum}`);
  if (isNumber(above) && value <= above) throw new SchemaMismatch(`${path} must be more than ${above}`);
  if (isNumber(below) && value >= below) throw new SchemaMismatch(`${path} must be less than ${below}`);
}

/**
 * Checks arguments by the schema of a tool. Takes them as JSON text too, and texts for what the schema wants where they are that,
 * since models and templates write so.
 */
export function checkArguments(schema: ToolParameters, given: unknown): CheckedArguments {
  const read = typeof given === 'string' ? readJson(given.trim() || '{}') : (given ?? {});
  if (!isObject(read)) return { ok: false, message: 'The arguments must be one JSON object' };
  try {
    const value = new Checker(schema, 'the object', MAX_STEPS).check({ ...schema, type: 'object' }, read, '', 0);
    return { ok: true, value: value as Readonly<Record<string, unknown>> };
  } catch (error) {
    if (error instanceof SchemaMismatch) return { ok: false, message: `The arguments are wrong: ${error.message}` };
    throw error;
  }
}

/** Checks JSON that a model answered by the schema that it was to have; a text where a number is wanted is one, as in arguments. */
export function checkAnswer(schema: Readonly<Record<string, unknown>>, given: unknown): Checked<unknown> {
  try {
    return { ok: true, value: new Checker(schema, 'the answer', MAX_ANSWER_STEPS).check(schema, given, '', 0) };
  } catch (error) {
    if (error instanceof SchemaMismatch) return { ok: false, message: error.message };
    throw error;
  }
}
