import { sql, type Kysely } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Migration, MigrateOptions, MigrateReport, Tables } from '../../ports/database.ts';

/** Number of the advisory lock that migrations of this service are made under. Any number that nothing else uses. */
const LOCK = 7_203_316_501;

/**
 * Applies the migrations that are missing, one transaction each, in order. Processes that try at the same time wait for
 * each other. Throws StudioError `conflict` when the database was made by a newer version of the service.
 */
export function migrate(
  db: Kysely<Tables>,
  { migrations, beforeChange, onProgress }: MigrateOptions,
): Promise<MigrateReport> {
  return db.connection().execute(async (connection) => {
    await sql`SELECT pg_advisory_lock(${LOCK})`.execute(connection);
    try {
      const before = await appliedNames(connection);
      const pending = missing(migrations, before);
      const fresh = before.size === 0;
      if (pending.length > 0 && !fresh) await beforeChange?.(pending.map(({ name }) => name));
      for (const migration of pending) {
        onProgress?.(`Bringing the database up to date: ${migration.name}`);
        await connection.transaction().execute(async (tx) => {
          await migration.up(tx);
          await tx.insertInto('studio_migrations').values({ name: migration.name }).execute();
        });
      }
      return { applied: pending.map(({ name }) => name), fresh };
    } finally {
      await sql`SELECT pg_advisory_unlock(${LOCK})`.execute(connection).catch(() => undefined);
    }
  });
}

/** Names of the migrations that the database has seen. */
async function appliedNames(db: Kysely<Tables>): Promise<Set<string>> {
  await sql`
    CREATE TABLE IF NOT EXISTS studio_migrations (
      name text PRIMARY KEY,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  const rows = await db.selectFrom('studio_migrations').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}

function missing(migrations: readonly Migration[], applied: ReadonlySet<string>): Migration[] {
  const ordered = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  const known = new Set(ordered.map(({ name }) => name));
  const foreign = [...applied].filter((name) => !known.has(name));
  if (foreign.length > 0) {
    throw new StudioError(
      'conflict',
      `The database was made by a newer version of this service (it has ${foreign.join(', ')}). Start that version.`,
    );
  }
  return ordered.filter(({ name }) => !applied.has(name));
}
