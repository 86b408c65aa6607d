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

test('every other export has a comment', () => {
  expect(read.flatMap((one) => one.uncommented)).toEqual([]);
});
