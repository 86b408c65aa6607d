import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase, type PostgresConnection } from '../../src/adapters/postgres/index.ts';
import type { Database } from '../../src/ports/database.ts';
import { silent } from './silent-log.ts';

export { silent };

/** A new folder below the system's folder for temporary files. The caller removes it. */
export const temporaryFolder = (name = 'studio-test-') => mkdtempSync(join(tmpdir(), name));

export interface FreshDatabase {
  /** For a second pool on the same database, and for processes. */
  readonly connection: Exclude<PostgresConnection, { url: string }>;
  /** Open, with every migration applied. */
  readonly db: Database;
  /** Ends the pool and drops the database. Safe to repeat. */
  close(): Promise<void>;
}

/** A migrated database of one's own on the PostgreSQL of the run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = inject('database');
  const database = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, `CREATE DATABASE ${database} TEMPLATE ${server.database} STRATEGY FILE_COPY`);
  const connection = { ...server, database };
  const db = await openDatabase({ connection, log: silent, poolSize: 6 });
  let closing: Promise<void> | null = null;
  const close = async () => {
    await db.close();
    await asAdmin(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  };
  return { connection, db, close: () => (closing ??= close()) };
}

/** Runs a statement outside of every database that is copied. */
async function asAdmin(server: FreshDatabase['connection'], statement: string): Promise<void> {
  const client = new Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
