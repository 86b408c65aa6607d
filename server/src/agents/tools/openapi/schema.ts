import { type Fields, type ServiceDescription, isFields, listIn, resolvePointer } from './document.ts';

// Schemas of a description as one JSON Schema, in which nothing refers to anything.

/** Keywords that say what a value may be; the rest is for people and generators. */
const KEPT = new Set([
  'type',
  'enum',
  'const',
  'description',
  'title',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);
const LISTS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Parts of one operation's schemas; what lies beyond is left open. */
const MAX_PARTS = 1_500;
const MAX_DEPTH = 12;
const MAX_TEXT_LENGTH = 1_000;

/** Makes schemas of one operation; all of them together are bounded. */
export class SchemaInliner {
  #parts = 0;
  readonly #description: ServiceDescription;

  constructor(description: ServiceDescription) {
    this.#description = description;
  }

  /** A schema without references. Where it leads back to itself, or grows too large, anything goes. */
  inline(schema: unknown, path: readonly string[] = [], depth = 0): Fields | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isFields(schema) || ++this.#parts > MAX_PARTS || depth > MAX_DEPTH) return {};
    const ref = schema['$ref'];
    if (typeof ref === 'string') {
      if (path.includes(ref)) return {};
      const target = this.inline(resolvePointer(this.#description, ref), [...path, ref], depth);
      const { description } = schema;
      return typeof description === 'string' && isFields(target) ? { ...target, description } : target;
    }
    const made: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(schema))
      if (KEPT.has(name)) made[name] = typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value;
    this.#limits(schema, made);
    const inner = (value: unknown) => this.inline(value, path, depth + 1);
    if (isFields(schema['properties'])) Object.assign(made, properties(schema, inner));
    const { additionalProperties: others, items } = schema;
    if (others !== undefined) made['additionalProperties'] = inner(others);
    if (items !== undefined) made['items'] = inner(items);
    for (const name of LISTS) if (Array.isArray(schema[name])) made[name] = listIn(schema[name]).map(inner);
    return made;
  }

  /** What 3.0 writes in another way than JSON Schema. */
  #limits(schema: Fields, made: Record<string, unknown>): void {
    for (const [exclusive, plain] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (typeof schema[exclusive] === 'number') made[exclusive] = schema[exclusive];
      if (schema[exclusive] !== true || typeof schema[plain] !== 'number') continue;
      made[exclusive] = schema[plain];
      delete made[plain];
    }
    if (!this.#description.old || schema['nullable'] !== true || typeof made['type'] !== 'string') return;
    made['type'] = [made['type'], 'null'];
    if (Array.isArray(made['enum'])) made['enum'] = [...listIn(made['enum']), null];
  }
}

/** Properties that a request may have: those that only answers have are left out. */
function properties(schema: Fields, inner: (value: unknown) => Fields | boolean): Fields {
  const all = Object.entries(schema['properties'] as Fields);
  const written = all.filter(([, value]) => !isFields(value) || value['readOnly'] !== true);
  const names = new Set(written.map(([name]) => name));
  const required = listIn(schema['required']).filter((name) => names.has(String(name)));
  return {
    properties: Object.fromEntries(written.map(([name, value]) => [name, inner(value)])),
    ...(required.length === 0 ? {} : { required }),
  };
}
