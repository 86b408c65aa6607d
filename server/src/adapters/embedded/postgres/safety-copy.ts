import { sql } from 'kysely';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../ports/database.ts';
import type { Account } from './account.ts';

/**
 * What is in a copy: one `NAME.copy` a table, in PostgreSQL's own text form of COPY, and this as `manifest.json`.
 * The platform package brings no pg_dump; the statements of the tables are in the migrations, so the rows suffice.
 */
export interface Manifest {
  readonly created_at: string;
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: number }[];
}

/** Older copies are removed. */
const KEPT_COPIES = 5;
const MIGRATIONS_TABLE = 'studio_migrations';

/** A folder named by the time, or by the first millisecond after it that has none: two copies may be made in one. */
function unusedFolder(backupsDir: string): string {
  for (let ms = Date.now(); ; ms++) {
    const folder = join(backupsDir, `before-migration-${new Date(ms).toISOString().replace(/[:.]/g, '-')}`);
    if (!existsSync(folder)) return folder;
  }
}

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
  const folder = unusedFolder(backupsDir);
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

/** Names of the migrations that the database has, in order. */
export async function appliedMigrations(tx: Transaction): Promise<string[]> {
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

function removeOldCopies(backupsDir: string): void {
  const copies = readdirSync(backupsDir)
    .filter((name) => name.startsWith('before-migration-') && existsSync(join(backupsDir, name, 'manifest.json')))
    .sort();
  for (const name of copies.slice(0, -KEPT_COPIES)) rmSync(join(backupsDir, name), { recursive: true, force: true });
}
