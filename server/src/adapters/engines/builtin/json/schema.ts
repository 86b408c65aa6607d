/** A JSON schema, draft 2020-12, as far as it is an object. */
export type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 40;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Properties are set so that a name such as `__proto__` is a name like any other. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What a schema means once its local reference is followed. */
export function resolve(schema: unknown, root: unknown, hops = 0): Schema | boolean {
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
export function merge(a: Schema, b: Schema): Schema {
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

export const typesIn = (type: unknown): string[] =>
  Array.isArray(type)
    ? (type as unknown[]).filter((t) => typeof t === 'string')
    : typeof type === 'string'
      ? [type]
      : [];

/** The type of the values that a schema asks for; a guess from its other words where it names none. */
export function typeOf(schema: Schema): string {
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

/** A schema without `allOf`: all of its parts in one. */
export function flattened(schema: Schema, root: unknown, depth = 0): Schema {
  const parts = listOf(schema['allOf']);
  if (parts.length === 0 || depth > MAX_DEPTH) return schema;
  const { allOf: _, ...rest } = schema;
  let out: Schema = rest;
  for (const part of parts.slice(0, 200)) {
    const resolved = resolve(part, root);
    if (isSchema(resolved)) out = merge(out, flattened(resolved, root, depth + 1));
  }
  return Array.isArray(out['allOf']) ? flattened(out, root, depth + 1) : out;
}
