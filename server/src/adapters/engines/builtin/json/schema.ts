/** A JSON schema, draft 2020-12, as far as it is an object. */
export type Schema = Readonly<Record<string, unknown>>;

/** References and parts that one schema may take. */
const MAX_PARTS = 100;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const typesOf = (type: unknown): readonly unknown[] => (Array.isArray(type) ? (type as unknown[]) : [type]);
export const allows = (schema: Schema, type: string): boolean => typesOf(schema['type']).includes(type);

/** Both schemas at once: properties and required names of both, else what the second says. */
function merge(a: Schema, b: Schema): Schema {
  return {
    ...a,
    ...b,
    ...(isSchema(a['properties']) && isSchema(b['properties'])
      ? { properties: { ...a['properties'], ...b['properties'] } }
      : {}),
    ...(a['required'] === undefined ? {} : { required: [...listOf(a['required']), ...listOf(b['required'])] }),
  };
}

/** Where a local reference such as `#/$defs/name` leads. */
function follow(ref: string, root: unknown): unknown {
  let at = root;
  for (const part of ref.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/**
 * A schema with its local reference followed, its `allOf` in one, and one branch of its `anyOf` or `oneOf`: the first
 * that is not null. What has too many parts, or refers to itself, is left open.
 */
export function resolve(schema: unknown, root: unknown, parts = { left: MAX_PARTS }): Schema {
  if (!isSchema(schema) || --parts.left < 0) return {};
  const { $ref: ref, allOf, anyOf, oneOf, ...rest } = schema;
  const options = [...listOf(anyOf), ...listOf(oneOf)];
  const option = options.find((one) => isSchema(one) && !allows(one, 'null')) ?? options[0];
  const target = typeof ref === 'string' && ref.startsWith('#') ? follow(ref, root) : undefined;
  return [target, ...listOf(allOf), option].reduce<Schema>(
    (whole, part) => (part === undefined ? whole : merge(whole, resolve(part, root, parts))),
    rest,
  );
}

/** The type of the values that a schema asks for; a guess from its other words where it names none. */
export function typeOf(schema: Schema): string {
  const types = typesOf(schema['type']).filter((type) => typeof type === 'string');
  const first = types.find((type) => type !== 'null') ?? types[0];
  if (first !== undefined) return first;
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}
