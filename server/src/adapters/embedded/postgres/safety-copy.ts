import { sql } from 'kysely';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../../kernel/errors.ts';
import type { Database } from '../../../ports/database.ts';
import type { Account } from './account.ts';

/**
 * What is in a copy: one `NAME.copy` a table, in PostgreSQL's own text form of COPY, and this as `manifest.json`.
 * The platform package brings no pg_dump; the statements of the tables are in the migrations, so the rows suffice.
 */
interface Manifest {
  readonly created_at: string;
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: number }[];
}

/** Older copies are removed. */
const KEPT_COPIES = 5;
const MIGRATIONS_TABLE = 'studio_migrations';

/**
 * Copies every row, as of one moment, into a new folder of `backupsDir`, and returns the folder.
 * The database must see the same file system: this is for the service's own database.
 * The account is that of PostgreSQL, where it is not the service's own.
 */
export async function makeSafetyCopy(
  database: Database,
  backupsDir: string,
  account?: Pick<Account, 'takeOwnership' | 'allowTraversal'>,
): Promise<string> {
  mkdirSync(backupsDir, { recursive: true, mode: 0o700 });
  account?.allowTraversal(backupsDir);
  const folder = join(backupsDir, `before-migration-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const draft = `${folder}.part`;
  mkdirSync(draft, { mode: 0o700 });
  account?.takeOwnership(draft);
  const manifest = await database.query
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const tables: Manifest['tables'][number][] = [];
      for (const { name, columns } of await listTables(tx)) {
        const result =
          await sql`COPY ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) TO ${sql.lit(join(draft, `${name}.copy`))}`.execute(
            tx,
          );
        tables.push({ name, columns, rows: Number(result.numAffectedRows ?? 0n) });
      }
      return {
        created_at: new Date().toISOString(),
        migrations: await appliedMigrations(tx),
        tables,
      } satisfies Manifest;
    });
  writeFileSync(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(draft, folder);
  removeOldCopies(backupsDir);
  return folder;
}

/**
 * Puts the rows of a copy in the place of what the tables hold now, all or nothing. Throws StudioError `conflict` unless
 * the database has exactly the migrations that the copy names: bring a new database to that state first, by starting the
 * version of the service that made the copy.
 */
export async function restoreSafetyCopy(database: Database, folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  await database.transaction(async (tx) => {
    const applied = await appliedMigrations(tx);
    if (applied.join() !== manifest.migrations.join()) {
      throw new StudioError(
        'conflict',
        `The copy was made of a database at ${manifest.migrations.at(-1) ?? 'its beginning'}, this one is at ${applied.at(-1) ?? 'its beginning'}.`,
      );
    }
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

async function appliedMigrations(tx: Transaction): Promise<string[]> {
  const rows = await tx.selectFrom(MIGRATIONS_TABLE).select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

async function listTables(tx: Transaction): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    GROUP BY c.relname ORDER BY c.relname`.execute(tx);
  return rows;
}

/** Identity columns go on after the highest number that came back. */
async function resetSequences(tx: Transaction): Promise<void> {
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

function removeOldCopies(backupsDir: string): void {
  const copies = readdirSync(backupsDir)
    .filter((name) => name.startsWith('before-migration-') && existsSync(join(backupsDir, name, 'manifest.json')))
    .sort();
  for (const name of copies.slice(0, -KEPT_COPIES)) rmSync(join(backupsDir, name), { recursive: true, force: true });
}
