import { EngineError } from '../../../../ports/engine.ts';
import { formats } from './formats.ts';
import { fractionsWithin, integersWithin, multiplesWithin } from './integers.ts';
import { CannotMerge, type Schema, isSchema, mergeSchemas } from './merge.ts';
import { objectBody } from './objects.ts';
import { UnsupportedPattern, patternGrammar } from './pattern.ts';
import type { Rules } from './rules.ts';
import type { SchemaWalk } from './walk.ts';
import { anyOf, literal, repeat } from './text.ts';

/** Repetitions that llama.cpp expands one by one; more are cut to so many. */
const MOST_REPEATS = 1_000;
const MOST_DEPTH = 48;
const MOST_RULES = 4_000;
/** Schemas joined for one grammar: references within allOf multiply. */
const MOST_MERGES = 2_000;

/** Keywords whose meaning a grammar cannot follow. */
const UNSUPPORTED = [
  'not',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
];

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

const refused = (param: string, what: string) => {
  const detail = `${param} ${what}`;
  return new EngineError('refused', detail, { status: 400, detail, param });
};

/** A part of a pointer; as it stands where it is no percent-encoded text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Rules for one schema and all that it refers to. */
export class SchemaRules implements SchemaWalk {
  readonly #rules: Rules;
  readonly #document: unknown;
  readonly #path: string;
  /** Rules of schemas that were referred to, by their pointer. */
  readonly #referred = new Map<string, string>();
  #depth = 0;
  #merges = 0;

  constructor(rules: Rules, document: unknown, path: string) {
    this.#rules = rules;
    this.#document = document;
    this.#path = path;
  }

  root(): string {
    return this.rule('json', this.body(this.#document, this.#path));
  }

  rule(name: string, body: string): string {
    if (this.#rules.size > MOST_RULES) throw refused(this.#path, 'is too large for a grammar');
    return this.#rules.rule(name, body);
  }

  /** A shared rule. */
  use(name: string): string {
    return this.#rules.use(name);
  }

  refuse(path: string, what: string): EngineError {
    return refused(path, what);
  }

  /** GBNF for values of a schema. */
  body(schema: unknown, path: string): string {
    if (schema === true) return this.use('value');
    if (schema === false) throw refused(path, 'is false: no value is allowed there');
    if (!isSchema(schema)) throw refused(path, 'must be a JSON schema: an object, true or false');
    if (++this.#depth > MOST_DEPTH) throw refused(this.#path, `is nested deeper than ${MOST_DEPTH} levels`);
    try {
      return this.#bodyOf(schema, path);
    } finally {
      this.#depth--;
    }
  }

  #bodyOf(schema: Schema, path: string): string {
    const unsupported = UNSUPPORTED.find((key) => key in schema);
    if (unsupported !== undefined)
      throw refused(`${path}.${unsupported}`, 'cannot be enforced by a grammar; leave it out');
    if (typeof schema['$ref'] === 'string') return this.#reference(schema, schema['$ref'], path);
    if (Array.isArray(schema['allOf'])) return this.body(this.#allOf(schema, path), path);
    for (const key of ['anyOf', 'oneOf'] as const) {
      if (Array.isArray(schema[key])) return this.#alternatives(schema, key, path);
    }
    if ('const' in schema) return this.#constants([schema['const']]);
    if (Array.isArray(schema['enum'])) return this.#enumeration(schema, path);
    const types = this.#typesOf(schema, path);
    return anyOf(types.map((type) => this.#typed(type, schema, path)));
  }

  #reference(schema: Schema, pointer: string, path: string): string {
    const { $ref: _ref, ...beside } = schema;
    const constraints = Object.keys(beside).filter(
      (key) => !/^(title|description|default|examples|\$defs|definitions|\$comment)$/.test(key),
    );
    if (constraints.length > 0) return this.body(this.#merge(this.#resolve(pointer, path), beside, path), path);
    const known = this.#referred.get(pointer);
    if (known !== undefined) return known;
    const target = this.#resolve(pointer, path);
    const own = this.#rules.reserve(pointer.split('/').at(-1) ?? 'ref');
    this.#referred.set(pointer, own.name);
    own.define(this.body(target, path));
    return own.name;
  }

  #resolve(pointer: string, path: string): unknown {
    if (pointer !== '#' && !pointer.startsWith('#/'))
      throw refused(`${path}.$ref`, 'must point into the schema itself, such as #/$defs/name');
    let at: unknown = this.#document;
    for (const part of pointer.split('/').slice(1)) {
      const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      const inside = Array.isArray(at) || isSchema(at) ? (at as Schema) : {};
      if (!Object.hasOwn(inside, key)) throw refused(`${path}.$ref`, `points to ${pointer}, which is not there`);
      at = inside[key];
    }
    return at;
  }

  /** One schema for what meets both. */
  #merge(a: unknown, b: unknown, path: string): unknown {
    if (++this.#merges > MOST_MERGES) throw refused(this.#path, 'joins too many schemas for a grammar');
    if (a === true) return b;
    if (b === true) return a;
    if (a === false || b === false) return false;
    if (!isSchema(a) || !isSchema(b)) throw refused(path, 'must be a JSON schema: an object, true or false');
    try {
      return mergeSchemas(this.#flat(a, path), this.#flat(b, path));
    } catch (error) {
      if (error instanceof CannotMerge) throw refused(path, `joins ${error.message}, which a grammar cannot follow`);
      throw error;
    }
  }

  /** The schema without references and lists of schemas that all hold, so that it can be merged. */
  #flat(schema: Schema, path: string): Schema {
    if (++this.#depth > MOST_DEPTH) throw refused(this.#path, `is nested deeper than ${MOST_DEPTH} levels`);
    try {
      let flat: unknown = schema;
      if (typeof schema['$ref'] === 'string') {
        const { $ref: pointer, ...beside } = schema;
        flat = this.#merge(this.#resolve(String(pointer), path), beside, path);
      } else if (Array.isArray(schema['allOf'])) flat = this.#allOf(schema, path);
      if (!isSchema(flat)) throw refused(path, 'joins schemas that exclude each other');
      return flat;
    } finally {
      this.#depth--;
    }
  }

  #allOf(schema: Schema, path: string): unknown {
    const { allOf, ...beside } = schema;
    let merged: unknown = beside;
    for (const [i, part] of (allOf as unknown[]).entries()) merged = this.#merge(merged, part, `${path}.allOf[${i}]`);
    return merged;
  }

  #alternatives(schema: Schema, key: 'anyOf' | 'oneOf', path: string): string {
    const { [key]: list, ...beside } = schema;
    const parts = list as unknown[];
    if (parts.length === 0) throw refused(`${path}.${key}`, 'must have at least one schema');
    const alone = Object.keys(beside).every((name) =>
      /^(title|description|default|examples|\$defs|definitions|\$schema|\$id)$/.test(name),
    );
    return anyOf(
      parts.map((part, i) => {
        const own = `${path}.${key}[${i}]`;
        return this.rule(`${key}-${i}`, this.body(alone ? part : this.#merge(beside, part, own), own));
      }),
    );
  }

  #constants(values: readonly unknown[]): string {
    return anyOf(values.map((value) => literal(JSON.stringify(value))));
  }

  #enumeration(schema: Schema, path: string): string {
    const values = schema['enum'] as unknown[];
    const types = 'type' in schema ? this.#typesOf(schema, path) : null;
    const fitting = types === null ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
    if (fitting.length === 0) throw refused(`${path}.enum`, 'has no value of the type');
    return this.#constants(fitting);
  }

  #typesOf(schema: Schema, path: string): readonly string[] {
    const { type } = schema;
    const given = Array.isArray(type) ? (type as unknown[]) : type === undefined ? this.#impliedTypes(schema) : [type];
    const wrong = given.find((name) => !(TYPES as readonly unknown[]).includes(name));
    if (wrong !== undefined || given.length === 0) throw refused(`${path}.type`, `must be one of ${TYPES.join(', ')}`);
    const types = given as string[];
    return schema['nullable'] === true && !types.includes('null') ? [...types, 'null'] : types;
  }

  /** Keywords of one type speak for it: what stands beside would be any value otherwise. */
  #impliedTypes(schema: Schema): readonly string[] {
    const has = (...keys: readonly string[]) => keys.some((key) => key in schema);
    if (
      has(
        'properties',
        'required',
        'additionalProperties',
        'patternProperties',
        'propertyNames',
        'minProperties',
        'maxProperties',
      )
    )
      return ['object'];
    if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return ['array'];
    if (has('pattern', 'format', 'minLength', 'maxLength')) return ['string'];
    if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
    return ['object', 'array', 'string', 'number', 'boolean', 'null'];
  }

  #typed(type: string, schema: Schema, path: string): string {
    switch (type) {
      case 'object':
        return objectBody(this, schema, path);
      case 'array':
        return this.#array(schema, path);
      case 'string':
        return this.#string(schema, path);
      case 'integer':
        return this.#integer(schema, path);
      case 'number':
        return this.#number(schema, path);
      default:
        return this.use(type);
    }
  }

  #array(schema: Schema, path: string): string {
    const { prefixItems, items = true } = schema;
    if (schema['uniqueItems'] === true && (numberOf(schema['maxItems']) ?? 2) > 1)
      throw refused(`${path}.uniqueItems`, 'cannot be enforced by a grammar; leave it out');
    const ws = this.use('ws');
    const fixed = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
    const min = numberOf(schema['minItems']) ?? 0;
    const max = numberOf(schema['maxItems']);
    if (min > MOST_REPEATS) throw refused(`${path}.minItems`, `must be at most ${MOST_REPEATS} for a grammar`);
    if (max !== null && max < min) throw refused(`${path}.maxItems`, 'must not be less than minItems');
    const heads = fixed
      .slice(0, max ?? fixed.length)
      .map((item, i) => this.rule(`item-${i}`, `${this.body(item, `${path}.prefixItems[${i}]`)} ${ws}`));
    const open = items !== false && (max === null || max > heads.length);
    const rest = open ? this.rule('item', `${this.body(items, `${path}.items`)} ${ws}`) : null;
    const most = max === null ? null : Math.min(max, MOST_REPEATS) - heads.length;
    return `"[" ${ws} ${this.#elements(heads, rest, min, most)} "]"`;
  }

  /** The elements of an array: those of fixed places first, as many as must be and as may be. */
  #elements(heads: readonly string[], rest: string | null, min: number, mostRest: number | null): string {
    const ws = this.use('ws');
    const more = (least: number) =>
      rest === null ? '' : ` ${repeat(`("," ${ws} ${rest})`, Math.max(0, least), mostRest)}`;
    if (heads.length === 0) {
      if (rest === null) return '';
      const tail = repeat(
        `("," ${ws} ${rest})`,
        Math.max(0, min - 1),
        mostRest === null ? null : Math.max(0, mostRest - 1),
      );
      return min > 0 ? `${rest} ${tail}` : `(${rest} ${tail})?`;
    }
    let body = more(min - heads.length).trim();
    for (let i = heads.length - 1; i >= 0; i--) {
      const comma = i === 0 ? '' : `"," ${ws} `;
      const element = `${comma}${heads[i] ?? ''} ${body}`.trim();
      body = i < min ? element : `(${element})?`;
    }
    return body;
  }

  #string(schema: Schema, path: string): string {
    const { pattern, format } = schema;
    const min = numberOf(schema['minLength']) ?? 0;
    const max = numberOf(schema['maxLength']);
    if (min > MOST_REPEATS) throw refused(`${path}.minLength`, `must be at most ${MOST_REPEATS} for a grammar`);
    if (max !== null && max < min) throw refused(`${path}.maxLength`, 'must not be less than minLength');
    const expression =
      typeof pattern === 'string'
        ? pattern
        : typeof format === 'string' && Object.hasOwn(formats, format)
          ? formats[format]
          : undefined;
    if (expression !== undefined)
      return this.#pattern(
        expression,
        { min, max },
        typeof pattern === 'string' ? `${path}.pattern` : `${path}.format`,
      );
    if (min === 0 && max === null) return this.use('string');
    const most = max === null ? null : Math.min(max, MOST_REPEATS);
    return most === 0 ? literal('""') : `"\\"" ${repeat(this.use('char'), min, most)} "\\""`;
  }

  #pattern(expression: string, { min, max }: { min: number; max: number | null }, path: string): string {
    try {
      const found = patternGrammar(expression);
      const fits = found.min >= min && (max === null || (found.max !== null && found.max <= max));
      if (!fits)
        throw refused(
          path,
          'cannot be joined with minLength and maxLength in a grammar; say the length in the pattern',
        );
      return `"\\"" ${this.rule('pattern', found.body)} "\\""`;
    } catch (error) {
      if (error instanceof UnsupportedPattern)
        throw refused(path, `has ${error.message}, which a grammar cannot follow`);
      throw error;
    }
  }

  #integer(schema: Schema, path: string): string {
    const { min, max, minOpen, maxOpen } = boundsOf(schema);
    const low = min === null ? null : minOpen ? Math.floor(min) + 1 : Math.ceil(min);
    const high = max === null ? null : maxOpen ? Math.ceil(max) - 1 : Math.floor(max);
    const step = numberOf(schema['multipleOf']);
    if (step !== null && step !== 1) return this.#multiples(step, low, high, path);
    if (low === null && high === null) return this.use('integer');
    const body = integersWithin({ min: low, max: high });
    if (body === null) throw refused(path, 'has bounds without an integer between them');
    return this.rule('integer', body);
  }

  #multiples(step: number, min: number | null, max: number | null, path: string): string {
    const body = step > 0 ? multiplesWithin(step, { min, max }) : null;
    if (body === null) throw refused(`${path}.multipleOf`, 'leaves no number within the bounds');
    return this.rule('multiple', body);
  }

  #number(schema: Schema, path: string): string {
    const { min, max, minOpen, maxOpen } = boundsOf(schema);
    const step = numberOf(schema['multipleOf']);
    if (step !== null)
      return this.#multiples(
        step,
        min === null ? null : minOpen ? min + step / 2 : min,
        max === null ? null : maxOpen ? max - step / 2 : max,
        path,
      );
    if (min === null && max === null) return this.use('number');
    // Integers within the bounds, and those with decimals whose next neighbour away from zero is within them too.
    const whole = integersWithin({
      min: min === null ? null : minOpen ? Math.floor(min) + 1 : Math.ceil(min),
      max: max === null ? null : maxOpen ? Math.ceil(max) - 1 : Math.floor(max),
    });
    const above =
      max === null || max > 0
        ? integersWithin({
            min: Math.max(0, minOpen ? Math.floor(min ?? -1) + 1 : Math.ceil(min ?? 0)),
            max: max === null ? null : Math.floor(max) - 1,
          })
        : null;
    const below =
      min === null || min < 0
        ? integersWithin({
            min: Math.max(0, maxOpen ? Math.floor(-(max ?? 1)) + 1 : Math.ceil(-(max ?? 0))),
            max: min === null ? null : Math.floor(-min) - 1,
          })
        : null;
    const decimals = '"." [0-9]{1,6}';
    const bodies = [
      ...(whole === null ? [] : [whole]),
      ...(above === null ? [] : [`${above} ${decimals}`]),
      ...(below === null ? [] : [`"-" ${below} ${decimals}`]),
    ];
    if (bodies.length === 0 && min !== null && max !== null) {
      const between = fractionsWithin(min, max, minOpen, maxOpen);
      if (between !== null) bodies.push(between);
    }
    if (bodies.length === 0) throw refused(path, 'has bounds without a number between them');
    return this.rule('number', anyOf(bodies));
  }
}

function boundsOf(schema: Schema) {
  const [min, max] = [numberOf(schema['minimum']), numberOf(schema['maximum'])];
  const [overMin, underMax] = [numberOf(schema['exclusiveMinimum']), numberOf(schema['exclusiveMaximum'])];
  const minOpen = (overMin !== null && (min === null || overMin >= min)) || schema['exclusiveMinimum'] === true;
  const maxOpen = (underMax !== null && (max === null || underMax <= max)) || schema['exclusiveMaximum'] === true;
  return {
    min: minOpen ? (overMin ?? min) : min,
    max: maxOpen ? (underMax ?? max) : max,
    minOpen,
    maxOpen,
  };
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isSchema(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
