import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Transaction } from 'kysely';
import { appliedMigrations, type Manifest } from '../../src/adapters/embedded/postgres/safety-copy.ts';
import type { Database, Tables } from '../../src/ports/database.ts';

/**
 * Puts the rows of a safety copy in the place of what the tables hold now, all or nothing: what a person does by hand who needs
 * one. Throws unless the database has exactly the migrations that the copy names.
 */
export async function restoreSafetyCopy(database: Database, folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  await database.transaction(async (tx) => {
    const applied = await appliedMigrations(tx);
    if (applied.join() !== manifest.migrations.join())
      throw new Error('The copy was made of a database with other migrations');
    // Rows arrive in the order of tables, not of references; without this a foreign key could refuse them.
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    await sql`TRUNCATE ${sql.join(manifest.tables.map(({ name }) => sql.table(name)))}`.execute(tx);
    for (const { name, columns } of manifest.tables) {
      const list = sql.join(columns.map((column) => sql.ref(column)));
      await sql`COPY ${sql.table(name)} (${list}) FROM ${sql.lit(join(folder, `${name}.copy`))}`.execute(tx);
    }
    await resetSequences(tx);
  });
}

/** Identity columns go on after the highest number that came back. */
async function resetSequences(tx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    SELECT c.relname AS table, a.attname AS column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`.execute(tx);
  for (const { table, column, sequence } of rows) {
    await sql`SELECT setval(${sequence}, (SELECT coalesce(max(${sql.ref(column)}), 0) + 1 FROM ${sql.table(table)}), false)`.execute(
      tx,
    );
  }
}
