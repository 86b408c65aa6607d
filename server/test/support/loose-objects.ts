interface JsonSchema {
  readonly properties?: object;
  readonly additionalProperties?: unknown;
}

/** Paths of the objects in a JSON schema that have named fields and take others too. */
export function looseObjects(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, additionalProperties } = schema as JsonSchema;
  const own = properties !== undefined && additionalProperties !== false ? [path || '/'] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, part]) => looseObjects(part, `${path}/${key}`))];
}
