import { ANNOTATIONS, type Schema, isSchema } from './keywords.ts';
import { CannotMerge, Contradiction, mergeSchemas } from './merge.ts';
import { Unsatisfiable, invalidSchema } from './schema-error.ts';

const MAX_DEPTH = 48;
/** Schemas joined for one grammar: references within allOf multiply. */
const MAX_MERGES = 2_000;

/** A part of a pointer; as it stands where it is no percent-encoded text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const partsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));

/** A schema as a whole: what its references mean, and what several of its parts mean together. */
export class SchemaDocument {
  readonly #document: unknown;
  /** Where it stands in the request. */
  readonly path: string;
  #depth = 0;
  #merges = 0;

  constructor(document: unknown, path: string) {
    this.#document = document;
    this.path = path;
  }

  /** Runs a step into the depth of the schema. */
  deeper<T>(step: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw invalidSchema(this.path, `is nested deeper than ${MAX_DEPTH} levels`);
    try {
      return step();
    } finally {
      this.#depth--;
    }
  }

  /** Where the target of a reference stands in the request. */
  pathOf(pointer: string): string {
    return partsOf(pointer).reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`),
      this.path,
    );
  }

  /** What a reference points to. Throws RequestError. */
  resolve(pointer: string, path: string): unknown {
    if (pointer !== '#' && !pointer.startsWith('#/'))
      throw invalidSchema(`${path}.$ref`, 'must point into the schema itself, such as #/$defs/name');
    let at: unknown = this.#document;
    for (const key of partsOf(pointer)) {
      const inside = Array.isArray(at) || isSchema(at) ? (at as Schema) : {};
      if (!Object.hasOwn(inside, key)) throw invalidSchema(`${path}.$ref`, `points to ${pointer}, which is not there`);
      at = inside[key];
    }
    return at;
  }

  /** One schema for what meets both. Throws RequestError. */
  merge(a: unknown, b: unknown, path: string): unknown {
    if (++this.#merges > MAX_MERGES) throw invalidSchema(this.path, 'joins too many schemas for a grammar');
    const [x, y] = [this.flat(a, path), this.flat(b, path)];
    if (x === true) return y;
    if (y === true) return x;
    if (x === false || y === false) return false;
    try {
      return mergeSchemas(x, y);
    } catch (error) {
      if (error instanceof Contradiction) throw new Unsatisfiable(path, `joins ${error.message}`);
      if (error instanceof CannotMerge)
        throw invalidSchema(path, `joins ${error.message}, which a grammar cannot follow`);
      throw error;
    }
  }

  /** The schema without references and lists of schemas that all hold. Throws RequestError. */
  flat(schema: unknown, path: string): Schema | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isSchema(schema)) throw invalidSchema(path, 'must be a JSON schema: an object, true or false');
    return this.deeper(() => {
      const { $ref: pointer, allOf, ...beside } = schema;
      const parts = Array.isArray(allOf) ? (allOf as unknown[]) : [];
      if (typeof pointer !== 'string' && parts.length === 0) return schema;
      const alone = Object.keys(beside).every((key) => ANNOTATIONS.has(key));
      if (alone && typeof pointer === 'string' && parts.length === 0)
        return this.flat(this.resolve(pointer, path), this.pathOf(pointer));
      let flat: unknown = alone ? true : beside;
      if (typeof pointer === 'string') flat = this.merge(flat, this.resolve(pointer, path), path);
      for (const [i, part] of parts.entries()) flat = this.merge(flat, part, `${path}.allOf[${i}]`);
      return this.flat(flat, path);
    });
  }
}
