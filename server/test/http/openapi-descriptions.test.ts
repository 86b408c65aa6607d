import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.ts';

interface Schema {
  readonly description?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every property below a part of the document, with the way to it; constants describe themselves. */
function propertiesOf(part: unknown, way: string): [string, Schema][] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties } = part as Schema;
  const own = Object.entries(properties ?? {}).filter(([, schema]) => schema.const === undefined);
  return [
    ...own.map(([name, schema]) => [`${way}.${name}`, schema] satisfies [string, Schema]),
    ...Object.entries(part).flatMap(([key, value]) =>
      propertiesOf(value, key === 'properties' || way === '' ? way : `${way}.${key}`),
    ),
  ];
}

test('every object of the public interface, and every property and parameter, has a description', () => {
  const { components, paths } = openApiDocument('1.0.0') as {
    components: { schemas: Record<string, Schema> };
    paths: Record<string, Record<string, { parameters?: { name: string; in: string; schema: Schema }[] }>>;
  };
  const schemas = Object.entries(components.schemas);
  expect(schemas.length).toBeGreaterThan(50);
  const properties = schemas.flatMap(([name, schema]) => propertiesOf(schema, name));
  expect(properties.length).toBeGreaterThan(700);
  const parameters = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap((operation) =>
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => [`${path}?${parameter.name}`, parameter.schema] satisfies [string, Schema]),
    ),
  );
  expect(parameters.length).toBeGreaterThan(10);
  const lacking = [...schemas, ...properties, ...parameters].filter(([, schema]) => !schema.description);
  expect(lacking.map(([name]) => name)).toEqual([]);
});
