import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase, type PostgresConnection } from '../../src/adapters/postgres/index.ts';
import type { Logger } from '../../src/kernel/log.ts';
import { migrations } from '../../src/migrations/index.ts';
import type { Database } from '../../src/ports/database.ts';

/** A log that says nothing. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

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

interface SharedServer {
  readonly dataDir: string;
  readonly postgres: EmbeddedPostgres;
}

/** The migrated database that each fresh one is a copy of. */
const TEMPLATE = 'studio_template';
let shared: Promise<SharedServer> | null = null;

/**
 * A migrated database of one's own on an embedded PostgreSQL that the tests of a worker share. It starts with the first
 * call in a test file and ends with the file.
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { postgres } = await (shared ??= startShared());
  const database = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(postgres, `CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
  const connection = { ...postgres.connection, database };
  const db = await openDatabase({ connection, log: silent, poolSize: 6 });
  let closing: Promise<void> | null = null;
  const close = async () => {
    await db.close();
    await asAdmin(postgres, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  };
  return { connection, db, close: () => (closing ??= close()) };
}

async function startShared(): Promise<SharedServer> {
  const dataDir = temporaryFolder();
  // Tests survive a crash of the machine by running again: no need to wait for the disk.
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silent,
    settings: { fsync: 'off', full_page_writes: 'off' },
  });
  await asAdmin(postgres, `CREATE DATABASE ${TEMPLATE}`);
  const template = await openDatabase({
    connection: { ...postgres.connection, database: TEMPLATE },
    log: silent,
    poolSize: 2,
  });
  await template.migrate({ migrations });
  await template.close();
  return { dataDir, postgres };
}

/** Ends the shared PostgreSQL of this worker. */
async function stopShared(): Promise<void> {
  const server = await shared;
  shared = null;
  if (server === null) return;
  await server.postgres.close();
  rmSync(server.dataDir, { recursive: true, force: true });
}

async function asAdmin(postgres: EmbeddedPostgres, statement: string): Promise<void> {
  const client = new Client(postgres.connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** To be called at the top of every test file that uses {@link freshDatabase}. */
export function usesDatabase(): void {
  afterAll(stopShared);
}
