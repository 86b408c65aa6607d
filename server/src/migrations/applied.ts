import { sql } from 'kysely';
import type { Database } from '../ports/database.ts';

/** Names of the migrations that a database has seen; changes nothing. */
export async function appliedMigrations({ query }: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ known: boolean }>`SELECT to_regclass('studio_migrations') IS NOT NULL AS known`.execute(
    query,
  );
  if (rows[0]?.known !== true) return [];
  return (await query.selectFrom('studio_migrations').select('name').execute()).map(({ name }) => name);
}
