import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

// Schemas describe themselves, because the OpenAPI document shows that; everything else has a TSDoc line.

const modules = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .toSorted();

/** Exports of each module that are schemas, and the names of its other exports that no comment precedes. */
const read = await Promise.all(
  modules.map(async (name) => {
    const exports = (await import(join(import.meta.dirname, name))) as Record<string, unknown>;
    const schemas = Object.entries(exports).flatMap(([key, value]) =>
      value instanceof z.ZodType ? [[`${name} ${key}`, value] as const] : [],
    );
    const source = readFileSync(join(import.meta.dirname, name), 'utf8');
    const uncommented = [...source.matchAll(/(\*\/\n)?export (?:const|function|type|interface) (\w+)/g)]
      .filter(([, comment, key]) => comment === undefined && !(exports[key ?? ''] instanceof z.ZodType))
      .map(([, , key]) => `${name} ${key}`);
    return { schemas, uncommented };
  }),
);

test('every exported schema has a description', () => {
  const schemas = read.flatMap((one) => one.schemas);
  expect(schemas.length).toBeGreaterThan(250);
  expect(schemas.filter(([, schema]) => !schema.description).map(([name]) => name)).toEqual([]);
});

type Part = readonly [step: string, schema: z.core.$ZodType];

const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;

/** The schemas that one is made of, each with its step on the path. */
function partsOf(schema: z.core.$ZodType): readonly Part[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([key, part]): Part => [`.${key}`, part]);
    case 'array':
      return [['[]', def.element]];
    case 'record':
      return [['{}', def.valueType]];
    case 'tuple':
      return def.items.map((part): Part => ['', part]);
    case 'union':
      return def.options.map((part): Part => ['', part]);
    case 'intersection':
      return [
        ['', def.left],
        ['', def.right],
      ];
    case 'pipe':
      return [
        ['', def.in],
        ['', def.out],
      ];
    default:
      return 'innerType' in def ? [['', def.innerType]] : [];
  }
}

/** Whether a property has a description, on itself or below a wrapper such as `optional`; a literal needs none. */
function isDescribed(schema: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(schema)?.description) return true;
  const def = defOf(schema);
  if (def.type === 'literal') return true;
  if (def.type === 'pipe') return isDescribed(def.in);
  return 'innerType' in def && isDescribed(def.innerType);
}

/** Paths of the properties within a schema that have no description. What has been seen is not looked at again. */
function undescribedIn(schema: z.core.$ZodType, path: string, seen: Set<z.core.$ZodType>): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const hasProperties = defOf(schema).type === 'object';
  return partsOf(schema).flatMap(([step, part]) => [
    ...(hasProperties && !isDescribed(part) ? [path + step] : []),
    ...undescribedIn(part, path + step, seen),
  ]);
}

test('every property of an exported schema has a description', () => {
  const seen = new Set<z.core.$ZodType>();
  const schemas = read.flatMap((one) => one.schemas);
  expect(schemas.flatMap(([name, schema]) => undescribedIn(schema, name, seen))).toEqual([]);
  expect(seen.size).toBeGreaterThan(schemas.length);
});

test('every other export has a comment', () => {
  expect(read.flatMap((one) => one.uncommented)).toEqual([]);
});
