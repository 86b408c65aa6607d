import { sql } from 'kysely';
import type { Database } from '../ports/database.ts';
import { migrations } from './index.ts';

/** Names of the migrations that a database has seen; changes nothing. */
async function appliedMigrations({ query }: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ known: boolean }>`SELECT to_regclass('studio_migrations') IS NOT NULL AS known`.execute(
    query,
  );
  if (rows[0]?.known !== true) return [];
  return (await query.selectFrom('studio_migrations').select('name').execute()).map(({ name }) => name);
}

/** What the schema lacks, and what it has that this version does not know. */
export async function checkSchema(
  database: Database,
): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }> {
  const applied = await appliedMigrations(database);
  const known = migrations.map(({ name }) => name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}
