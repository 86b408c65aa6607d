import { arrayBody } from './arrays.ts';
import { CannotCheck, SchemaCheck } from './check.ts';
import { Disjointness } from './disjoint.ts';
import { SchemaDocument } from './document.ts';
import { type Schema, UNSUPPORTED, isSchema, normaliseKeywords, typesOf } from './keywords.ts';
import { literals } from './literals.ts';
import { nextAlternatives, isOnlyKeyword } from './merge.ts';
import { numberBody } from './numbers.ts';
import { objectBody } from './objects.ts';
import { Unsatisfiable, invalidSchema } from './schema-error.ts';
import { UnsupportedPattern } from './regex.ts';
import type { Rules } from './rules.ts';
import { stringBody, taggedBody } from './strings.ts';
import { anyOf } from './text.ts';
import type { SchemaWalk } from './walk.ts';

const MAX_RULES = 20_000;
/** Steps for the machines of all regular expressions of a schema: a second or so. */
const MAX_STEPS = 1_000_000;
/** Characters of all listed values of a schema: llama.cpp reads so many in a moment. */
const MAX_LISTED = 2_000_000;

/** Rules for one schema and all that it refers to. */
export class SchemaRules implements SchemaWalk {
  readonly #rules: Rules;
  readonly #document: SchemaDocument;
  readonly #schema: unknown;
  readonly #check: SchemaCheck;
  readonly #disjoint = new Disjointness(this);
  /** Rules of schemas that were referred to, by their pointer. */
  readonly #referred = new Map<string, string>();
  /** What each rule of a reference may begin with, and where: a rule must not begin with itself. */
  readonly #beginnings = new Map<string, Map<string, string>>();
  /** The reference that what is built now stands at the beginning of. */
  #beginning: string | null = null;
  #listed = 0;
  readonly budget = { left: MAX_STEPS };

  constructor(rules: Rules, schema: unknown, path: string) {
    this.#rules = rules;
    this.#schema = schema;
    this.#document = new SchemaDocument(schema, path);
    this.#check = new SchemaCheck((pointer) => this.#document.resolve(pointer, path));
  }

  /** The rule of the whole. Throws RequestError. */
  root(): string {
    return this.value(this.#schema, this.#document.path);
  }

  /** The rule of JSON values of a part of the schema. Throws RequestError. */
  value(schema: unknown, path: string): string {
    const body = this.rule('json', this.body(schema, path));
    this.#refuseEndless();
    return body;
  }

  /** The rule of values of a part of the schema, where strings stand as they are between tags and others as JSON. */
  tagged(schema: unknown, path: string): string {
    const flat = isSchema(schema) ? this.flat(schema, path) : schema;
    const text = isSchema(flat) ? normaliseKeywords(flat) : null;
    if (text?.['type'] !== 'string' || ['anyOf', 'oneOf', ...UNSUPPORTED].some((key) => key in text))
      return this.value(schema, path);
    const listed = 'const' in text || Array.isArray(text['enum']);
    return listed
      ? this.#listedValues(text, path, (value) => (typeof value === 'string' ? value : null))
      : taggedBody(this, text, path);
  }

  rule(name: string, body: string): string {
    const own = this.reserve(name);
    own.define(body);
    return own.name;
  }

  reserve(name: string): { readonly name: string; define(body: string): void } {
    if (this.#rules.size > MAX_RULES) throw invalidSchema(this.#document.path, 'is too large for a grammar');
    return this.#rules.reserve(name);
  }

  use(name: string): string {
    return this.#rules.use(name);
  }

  flat(schema: unknown, path: string): Schema | boolean {
    return this.#document.flat(schema, path);
  }

  merge(a: unknown, b: unknown, path: string): unknown {
    return this.#document.merge(a, b, path);
  }

  allows(schema: unknown, value: unknown, path: string): boolean {
    try {
      return this.#check.allows(schema, value);
    } catch (error) {
      if (error instanceof CannotCheck)
        throw invalidSchema(path, `${error.message}, which listed values cannot be checked by`);
      if (error instanceof UnsupportedPattern)
        throw invalidSchema(`${path}.pattern`, `has ${error.message}, which a grammar cannot follow`);
      throw error;
    }
  }

  unsupported(path: string, what: string) {
    return invalidSchema(path, what);
  }

  unsatisfiable(path: string, what: string) {
    return new Unsatisfiable(path, what);
  }

  isUnsatisfiable(error: unknown): boolean {
    return error instanceof Unsatisfiable;
  }

  /** GBNF for values of a schema. */
  body(schema: unknown, path: string): string {
    if (schema === true) return this.use('value');
    if (schema === false) throw new Unsatisfiable(path, 'is false: no value is allowed there');
    if (!isSchema(schema)) throw invalidSchema(path, 'must be a JSON schema: an object, true or false');
    return this.#document.deeper(() => this.#bodyOf(normaliseKeywords(schema), path));
  }

  #bodyOf(schema: Schema, path: string): string {
    if (typeof schema['$ref'] === 'string' && isOnlyKeyword(schema, '$ref'))
      return this.#reference(schema['$ref'], path);
    if ('$ref' in schema || Array.isArray(schema['allOf'])) return this.body(this.flat(schema, path), path);
    if ('const' in schema || Array.isArray(schema['enum'])) return this.#listedValues(schema, path);
    const unsupported = UNSUPPORTED.find((key) => key in schema);
    if (unsupported !== undefined)
      throw invalidSchema(`${path}.${unsupported}`, 'cannot be enforced by a grammar; leave it out');
    for (const key of ['anyOf', 'oneOf'] as const) {
      if (Array.isArray(schema[key])) return this.#alternatives(schema, key, path);
    }
    const also = nextAlternatives(schema);
    if (also) return this.body(this.merge(also.rest, also.next, path), path);
    return anyOf(typesOf(schema, path).map((type) => this.#typed(type, schema, path)));
  }

  #reference(pointer: string, path: string): string {
    if (this.#beginning !== null) {
      const begun = this.#beginnings.get(this.#beginning) ?? new Map<string, string>();
      this.#beginnings.set(this.#beginning, begun.set(pointer, path));
    }
    const known = this.#referred.get(pointer);
    if (known !== undefined) return known;
    const target = this.#document.resolve(pointer, path);
    const own = this.reserve(pointer.split('/').at(-1) ?? 'ref');
    this.#referred.set(pointer, own.name);
    const before = this.#beginning;
    this.#beginning = pointer;
    try {
      own.define(this.body(target, this.#document.pathOf(pointer)));
      return own.name;
    } catch (error) {
      this.#referred.delete(pointer);
      throw error;
    } finally {
      this.#beginning = before;
    }
  }

  /** Refuses references that lead back to themselves before anything is written. */
  #refuseEndless(): void {
    const done = new Set<string>();
    const visit = (pointer: string, above: readonly string[]): void => {
      for (const [next, path] of this.#beginnings.get(pointer) ?? []) {
        if (next === pointer || above.includes(next))
          throw invalidSchema(`${path}.$ref`, `refers to itself: ${next} begins with itself`);
        if (!done.has(next)) visit(next, [...above, pointer]);
      }
      done.add(pointer);
    };
    for (const pointer of this.#beginnings.keys()) if (!done.has(pointer)) visit(pointer, []);
  }

  #alternatives(schema: Schema, key: 'anyOf' | 'oneOf', path: string): string {
    const { [key]: list, ...beside } = schema;
    const parts = list as unknown[];
    if (parts.length === 0) throw invalidSchema(`${path}.${key}`, 'must have at least one schema');
    const places = parts.map((part, i) => ({ part, at: `${path}.${key}[${i}]` }));
    const alone = isOnlyKeyword(schema, key);
    let first: Unsatisfiable | null = null;
    const flats = key === 'oneOf' ? places.map(({ part, at }) => this.#flatOrNone(part, at)) : [];
    const bodies = places.flatMap(({ part, at }, i) => {
      try {
        const whole = alone ? part : this.merge(beside, part, at);
        const own = key === 'oneOf' ? this.#disjoint.apartFrom(whole, flats.toSpliced(i, 1), at) : whole;
        return [this.rule(key, this.body(own, at))];
      } catch (error) {
        // What contradicts the keywords beside it is never chosen.
        if (!(error instanceof Unsatisfiable)) throw error;
        first ??= error;
        return [];
      }
    });
    if (bodies.length === 0 && first !== null) throw first as Unsatisfiable;
    return anyOf(bodies);
  }

  #flatOrNone(schema: unknown, path: string): unknown {
    try {
      return this.flat(schema, path);
    } catch (error) {
      if (error instanceof Unsatisfiable) return false;
      throw error;
    }
  }

  /** Listed values that all other keywords allow. */
  #listedValues(
    schema: Schema,
    path: string,
    write: (value: unknown) => string | null = (value) => JSON.stringify(value),
  ): string {
    const key = 'const' in schema ? 'const' : 'enum';
    const values = key === 'const' ? [schema['const']] : (schema['enum'] as unknown[]);
    const texts = values.map(write);
    this.#listed += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (this.#listed > MAX_LISTED)
      throw invalidSchema(`${path}.${key}`, `lists more than ${MAX_LISTED} characters of values in all`);
    const { [key]: _list, ...beside } = schema;
    const fitting = texts.filter((text, i): text is string => text !== null && this.allows(beside, values[i], path));
    if (fitting.length === 0)
      throw new Unsatisfiable(`${path}.${key}`, 'has no value that the keywords beside it allow');
    return literals(fitting);
  }

  #typed(type: string, schema: Schema, path: string): string {
    switch (type) {
      case 'object':
        return this.#inside(() => objectBody(this, schema, path));
      case 'array':
        return this.#inside(() => arrayBody(this, schema, path));
      case 'string':
        return stringBody(this, schema, path);
      case 'integer':
      case 'number':
        return this.#number(schema, type === 'integer', path);
      default:
        return this.use(type);
    }
  }

  /** Builds what stands behind a bracket, and so at the beginning of nothing. */
  #inside(build: () => string): string {
    const before = this.#beginning;
    this.#beginning = null;
    try {
      return build();
    } finally {
      this.#beginning = before;
    }
  }

  #number(schema: Schema, integer: boolean, path: string): string {
    const { multipleOf } = schema;
    if (multipleOf !== undefined && !(typeof multipleOf === 'number' && multipleOf > 0))
      throw invalidSchema(`${path}.multipleOf`, 'must be a number above 0');
    const bounded = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].some(
      (key) => key in schema,
    );
    if (!bounded) return this.use(integer ? 'integer' : 'number');
    const body = numberBody(schema, integer, (name, digits) => this.rule(name, digits));
    const kind = integer ? 'integer' : 'number';
    if (body === null)
      throw new Unsatisfiable(
        multipleOf === undefined ? path : `${path}.multipleOf`,
        `leaves no ${kind} within the bounds`,
      );
    return this.rule(kind, body);
  }
}
