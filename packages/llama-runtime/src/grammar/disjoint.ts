import { inBoth } from './equal.ts';
import { type Schema, namedTypes, requiredOf, typesOf } from './keywords.ts';
import { patternsOf } from './merge.ts';
import { boundsOf } from './numbers.ts';
import { areDisjoint } from './patterns.ts';
import { UnsupportedPattern } from './regex.ts';
import { Unsatisfiable } from './schema-error.ts';
import { type Shape, allOf, shapeOf } from './shape.ts';
import type { SchemaWalk } from './walk.ts';

const MAX_DEPTH = 5;
/** Values of lists that are compared one by one. */
const MAX_VALUES = 200;
/** Pairs of schemas that are looked at for one grammar; of further ones it is not known. */
const MAX_PAIRS = 50_000;

type DisjointnessWalk = Pick<SchemaWalk, 'flat' | 'merge' | 'allows' | 'budget'>;

const ALL_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** Types of values that a schema allows; integers are numbers. */
const allowedTypes = (schema: Schema, path: string): readonly string[] =>
  (namedTypes(schema, path) ?? ALL_TYPES).map((type) => (type === 'integer' ? 'number' : type));

function listOf(schema: Schema): readonly unknown[] | null {
  if ('const' in schema) return [schema['const']];
  const values = schema['enum'];
  return Array.isArray(values) ? (values as unknown[]) : null;
}

const countAt = (schema: Schema, key: string) => (typeof schema[key] === 'number' ? schema[key] : null);
const apart = (a: Schema, b: Schema, least: string, most: string) => {
  const over = (x: Schema, y: Schema) => {
    const [high, low] = [countAt(x, most), countAt(y, least)];
    return high !== null && low !== null && high < low;
  };
  return over(a, b) || over(b, a);
};

function numbersApart(a: Schema, b: Schema): boolean {
  const [x, y] = [boundsOf(a), boundsOf(b)];
  const over = (high: number | null, low: number | null) => high !== null && low !== null && high < low;
  return over(x.high, y.low) || over(y.high, x.low);
}

/**
 * Tells whether two schemas have no value in common. False means that it is not known. A schema that contradicts itself
 * has no value.
 */
export class Disjointness {
  readonly #walk: DisjointnessWalk;
  #pairs = 0;

  constructor(walk: DisjointnessWalk) {
    this.#walk = walk;
  }

  check(a: unknown, b: unknown, path: string, depth = 0): boolean {
    if (depth > MAX_DEPTH || ++this.#pairs > MAX_PAIRS) return false;
    try {
      const [x, y] = [this.#walk.flat(a, path), this.#walk.flat(b, path)];
      if (x === false || y === false) return true;
      if (x === true || y === true) return false;
      return this.#ofFlat(x, y, path, depth);
    } catch (error) {
      if (error instanceof Unsatisfiable) return true;
      if (error instanceof UnsupportedPattern) return false;
      throw error;
    }
  }

  #ofFlat(a: Schema, b: Schema, path: string, depth: number): boolean {
    if (this.#listsApart(a, b, path) || this.#listsApart(b, a, path)) return true;
    const types = allowedTypes(b, path);
    const shared = allowedTypes(a, path).filter((type) => types.includes(type));
    if (shared.every((type) => this.#typeApart(type, a, b, path, depth))) return true;
    return this.#partsApart(a, b, path, depth) || this.#partsApart(b, a, path, depth);
  }

  #listsApart(a: Schema, b: Schema, path: string): boolean {
    const [values, others] = [listOf(a), listOf(b)];
    if (values === null) return false;
    const both = others === null ? values : inBoth(values, others);
    if (both.length > MAX_VALUES) return false;
    return !both.some((value) => this.#walk.allows(a, value, path) && this.#walk.allows(b, value, path));
  }

  /** Every alternative of the first is apart from the second. */
  #partsApart(a: Schema, b: Schema, path: string, depth: number): boolean {
    for (const key of ['anyOf', 'oneOf'] as const) {
      const { [key]: parts, ...beside } = a;
      if (!Array.isArray(parts)) continue;
      if (parts.every((part) => this.check({ allOf: [beside, part as unknown] }, b, path, depth + 1))) return true;
    }
    return false;
  }

  #typeApart(type: string, a: Schema, b: Schema, path: string, depth: number): boolean {
    switch (type) {
      case 'number':
        return numbersApart(a, b);
      case 'string':
        return (
          apart(a, b, 'minLength', 'maxLength') ||
          patternsOf(a).some((one) => patternsOf(b).some((other) => areDisjoint(one, other, this.#walk.budget)))
        );
      case 'array':
        return apart(a, b, 'minItems', 'maxItems') || this.#itemsApart(a, b, path, depth);
      case 'object':
        return apart(a, b, 'minProperties', 'maxProperties') || this.#membersApart(a, b, path, depth);
      default:
        return false;
    }
  }

  /** An element that both must have, and that cannot be the same in both. */
  #itemsApart(a: Schema, b: Schema, path: string, depth: number): boolean {
    const surely = Math.max(countAt(a, 'minItems') ?? 0, countAt(b, 'minItems') ?? 0);
    const at = ({ prefixItems, items = true }: Schema, i: number): unknown =>
      Array.isArray(prefixItems) && i < prefixItems.length ? prefixItems[i] : items;
    return [0, 1, 2, 3].some((i) => i < surely && this.check(at(a, i), at(b, i), path, depth + 1));
  }

  /** A member that one must have, and that cannot be the same in both. */
  #membersApart(a: Schema, b: Schema, path: string, depth: number): boolean {
    const [x, y] = [shapeOf(a), shapeOf(b)];
    return [...new Set([...requiredOf(a), ...requiredOf(b)])].some((name) =>
      this.check(x.member(name), y.member(name), path, depth + 1),
    );
  }

  /**
   * A schema for those of a schema's values that are none of others': it goes without members that one of the others must
   * have. Where nothing tells it from another, values of both remain.
   */
  apartFrom(own: unknown, others: readonly unknown[], path: string): unknown {
    const flat = this.#walk.flat(own, path);
    if (typeof flat === 'boolean' || others.length === 0) return own;
    const types = typesOf(flat, path);
    const listed = 'enum' in flat || 'const' in flat;
    const typed = listed ? flat : { ...flat, type: types };
    const overlapping = others.filter((other) => !this.check(typed, other, path));
    if (overlapping.length === 0 || listed || types.join() !== 'object') return own;
    const shape = this.#shapeOf(flat);
    if (shape === null) return own;
    const forbidden = overlapping.flatMap((other) => this.#toForbid(flat, shape.names, this.#walk.flat(other, path)));
    // Names that are not the schema's own are written only where it is open to others.
    const open = shape.parts.some(({ additional, patterns }) => additional !== undefined || patterns.length > 0);
    const written = forbidden.filter((name) => open || shape.names.length === 0 || shape.names.includes(name));
    if (written.length === 0) return own;
    return allOf([own, { properties: Object.fromEntries(written.map((name) => [name, false])) }]);
  }

  /** A member that only the other must have; one that the schema does not name, if there is such. */
  #toForbid(own: Schema, named: readonly string[], other: Schema | boolean): readonly string[] {
    if (typeof other === 'boolean') return [];
    const needed = new Set(requiredOf(own));
    const free = requiredOf(other).filter((name) => !needed.has(name));
    const best = free.find((name) => !named.includes(name)) ?? free[0];
    return best === undefined ? [] : [best];
  }

  #shapeOf(schema: Schema): Shape | null {
    try {
      return shapeOf(schema);
    } catch (error) {
      if (error instanceof UnsupportedPattern) return null;
      throw error;
    }
  }
}
