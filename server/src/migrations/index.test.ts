import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitFields } from '@ai-studio/contract/limits.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/postgres.ts';
import { migrations } from './index.ts';

test('every file of the folder is a migration of the list, in the order of the numbers', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^\d{4}-.*(?<!\.test)\.ts$/.test(name));
  expect(migrations.map(({ name }) => `${name.replaceAll('_', '-')}.ts`)).toEqual(files.toSorted());
});

/** Columns by table, as the files `tables.ts` type them. */
function typedColumns(): Record<string, string[]> {
  const source = globSync(join(import.meta.dirname, '../*/tables.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const interfaces = new Map(
    [...source.matchAll(/^(?:export )?interface (\w+)( extends Record<LimitField[^{]*)? ?\{\n([\s\S]*?)^\}/gm)].map(
      ([, name = '', limited, body = '']) => {
        const fields = [...body.matchAll(/^ {2}(\w+): /gm)].map(([, field = '']) => field);
        return [name, limited === undefined ? fields : [...fields, ...limitFields]] as const;
      },
    ),
  );
  const tables = [...source.matchAll(/^ {2,4}(\w+): (\w+Table);$/gm)];
  return Object.fromEntries(
    tables.map(([, table = '', type = '']) => [table, (interfaces.get(type) ?? []).toSorted()]),
  );
}

test('the tables that queries are typed by have the columns that the migrations made', async () => {
  const { db, close } = await freshDatabase();
  const { rows } = await sql<{ table: string; columns: string[] }>`
    SELECT table_name AS table, array_agg(column_name::text) AS columns
    FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`.execute(db.query);
  await close();
  expect(rows.length).toBeGreaterThan(30);
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, columns.toSorted()]))).toEqual(typedColumns());
});
