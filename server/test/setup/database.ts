// Runs once before all test files: one PostgreSQL with a migrated database that every other is a copy of, and data folders
// that services start from (one migrated, one with an administrator), so that neither a test file nor a service makes and migrates a database of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase, type PostgresConnection } from '../../src/adapters/postgres/index.ts';
import { migrations } from '../../src/migrations/index.ts';
import { addAdministrator } from '../support/administrator.ts';
import type { Database } from '../../src/ports/database.ts';
import { seeds } from '../support/seed.ts';
import { silent, temporaryFolder } from '../support/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL of this run; its database is migrated and nobody is connected to it. */
    readonly database: Exclude<PostgresConnection, { url: string }>;
  }
}

/** Each test file opens up to six connections, some open two databases; a few files run at once. */
const MAX_CONNECTIONS = 200;
/** Tests survive a crash of the machine by running again: no need to wait for the disk. */
const settings = { fsync: 'off', full_page_writes: 'off' };

const dataDir = temporaryFolder();
const seed = temporaryFolder('studio-seed-');
let postgres: EmbeddedPostgres | null = null;

/** Does work in the database of a data folder, which is not running then. */
async function inDatabase(folder: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir: folder, log: silent, settings });
  try {
    const db = await openDatabase({ connection: server.connection, log: silent, poolSize: 2 });
    await work(db);
    await db.close();
  } finally {
    await server.close();
  }
}

export async function setup({ provide }: TestProject): Promise<void> {
  await inDatabase(dataDir, (db) => db.migrate({ migrations }));
  // With owners and modes, which PostgreSQL checks.
  for (const name of seeds) {
    mkdirSync(join(seed, name));
    execFileSync('cp', ['-a', join(dataDir, 'postgres'), join(seed, name, 'postgres')]);
  }
  await inDatabase(join(seed, 'set-up'), addAdministrator);
  postgres = await startEmbeddedPostgres({ dataDir, log: silent, settings, maxConnections: MAX_CONNECTIONS });
  provide('database', postgres.connection);
  // By the environment: benches start services too, and make their databases themselves.
  process.env['STUDIO_TEST_SEED'] = seed;
}

export async function teardown(): Promise<void> {
  await postgres?.close();
  for (const folder of [dataDir, seed]) rmSync(folder, { recursive: true, force: true });
}
