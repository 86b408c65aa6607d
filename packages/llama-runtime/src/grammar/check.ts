import { decimalOf, scaledUp } from './decimal.ts';
import { equal } from './equal.ts';
import { type Schema, isSchema, normaliseKeywords } from './keywords.ts';
import { nextAlternatives, patternsOf } from './merge.ts';
import { boundsOf } from './numbers.ts';
import { createSearch } from './patterns.ts';
import { shapeOf } from './shape.ts';

/** A schema that values cannot be checked against. The message says why. */
export class CannotCheck extends Error {}

const MAX_DEPTH = 200;
/** Steps to look for the expressions of one schema in its listed values: a second or two. */
const MAX_STEPS = 5_000_000;
const UNKNOWN = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'];

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isSchema(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const within = (count: number, least: unknown, most: unknown) =>
  !(typeof least === 'number' && count < least) && !(typeof most === 'number' && count > most);

function isMultiple(value: number, step: unknown): boolean {
  if (typeof step !== 'number' || !(step > 0)) return true;
  const [a, b] = [decimalOf(value), decimalOf(step)];
  const scale = Math.max(a.scale, b.scale);
  return scaledUp(a, scale) % scaledUp(b, scale) === 0n;
}

function isDistinct(items: readonly unknown[]): boolean {
  return items.every((item, i) => !items.slice(0, i).some((other) => equal(item, other)));
}

/**
 * Checks values against a schema by JSON Schema 2020-12; formats are notes to it. Regular expressions of a request are
 * followed by a machine that never goes back, and nothing is compiled, so that no schema can hold the process up.
 */
export class SchemaCheck {
  readonly #resolve: (pointer: string) => unknown;
  readonly #searches = new Map<string, (text: string) => boolean>();
  readonly #budget = { left: MAX_STEPS };
  #depth = 0;

  /** `resolve` finds what a `$ref` points to. */
  constructor(resolve: (pointer: string) => unknown) {
    this.#resolve = resolve;
  }

  /** Whether a schema allows a value. Throws {@link CannotCheck}, and UnsupportedPattern. */
  allows(schema: unknown, value: unknown): boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isSchema(schema)) throw new CannotCheck('is no JSON schema');
    if (++this.#depth > MAX_DEPTH) throw new CannotCheck('refers to itself or is nested too deeply');
    try {
      return this.#allows(normaliseKeywords(schema), value);
    } finally {
      this.#depth--;
    }
  }

  #allows(schema: Schema, value: unknown): boolean {
    const unknown = UNKNOWN.find((key) => key in schema);
    if (unknown !== undefined) throw new CannotCheck(`has ${unknown}`);
    const { type } = schema;
    if (type !== undefined && ![type].flat().some((name) => hasType(value, name))) return false;
    if ('const' in schema && !equal(schema['const'], value)) return false;
    if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => equal(one, value))) return false;
    return this.#joined(schema, value) && this.#typed(schema, value);
  }

  /** Keywords that hold other schemas for the same value. */
  #joined(schema: Schema, value: unknown): boolean {
    const allows = (other: unknown) => this.allows(other, value);
    const { $ref: pointer, anyOf, oneOf, if: condition } = schema;
    if (typeof pointer === 'string' && !allows(this.#resolve(pointer))) return false;
    if (!listOf(schema['allOf']).every(allows)) return false;
    if (Array.isArray(anyOf) && !anyOf.some(allows)) return false;
    if (Array.isArray(oneOf) && oneOf.filter(allows).length !== 1) return false;
    if ('not' in schema && allows(schema['not'])) return false;
    const also = nextAlternatives(schema);
    if (also && !(allows(also.next) && this.#joined(also.rest, value))) return false;
    return condition === undefined || allows(schema[allows(condition) ? 'then' : 'else'] ?? true);
  }

  #typed(schema: Schema, value: unknown): boolean {
    if (typeof value === 'number') return this.#number(schema, value);
    if (typeof value === 'string') return this.#string(schema, value);
    if (Array.isArray(value)) return this.#array(schema, value);
    return isSchema(value) ? this.#object(schema, value) : true;
  }

  #number(schema: Schema, value: number): boolean {
    const { low, high } = boundsOf(schema);
    return within(value, low, high) && isMultiple(value, schema['multipleOf']);
  }

  #string(schema: Schema, value: string): boolean {
    const length = Array.from(value).length;
    return (
      within(length, schema['minLength'], schema['maxLength']) &&
      patternsOf(schema).every((source) => this.#search(source)(value))
    );
  }

  #search(source: string): (text: string) => boolean {
    const known = this.#searches.get(source) ?? createSearch(source, this.#budget);
    this.#searches.set(source, known);
    return known;
  }

  #array(schema: Schema, value: readonly unknown[]): boolean {
    const { items = true, contains } = schema;
    const prefix = listOf(schema['prefixItems']);
    if (!within(value.length, schema['minItems'], schema['maxItems'])) return false;
    if (schema['uniqueItems'] === true && !isDistinct(value)) return false;
    if (contains !== undefined) {
      const found = value.filter((item) => this.allows(contains, item)).length;
      if (!within(found, schema['minContains'] ?? 1, schema['maxContains'])) return false;
    }
    return value.every((item, i) => this.allows(i < prefix.length ? prefix[i] : items, item));
  }

  #object(schema: Schema, value: Schema): boolean {
    const names = Object.keys(value);
    const has = (name: unknown) => typeof name === 'string' && Object.hasOwn(value, name);
    if (!listOf(schema['required']).every(has)) return false;
    if (!within(names.length, schema['minProperties'], schema['maxProperties'])) return false;
    const { propertyNames, dependentRequired, dependentSchemas } = schema;
    if (propertyNames !== undefined && !names.every((name) => this.allows(propertyNames, name))) return false;
    const { member } = shapeOf(schema);
    return (
      Object.entries(isSchema(dependentRequired) ? dependentRequired : {}).every(
        ([name, others]) => !has(name) || listOf(others).every(has),
      ) &&
      Object.entries(isSchema(dependentSchemas) ? dependentSchemas : {}).every(
        ([name, other]) => !has(name) || this.allows(other, value),
      ) &&
      names.every((name) => this.allows(member(name), value[name]))
    );
  }
}
