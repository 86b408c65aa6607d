// Runs once before all test files: one PostgreSQL with a migrated database that every other is a copy of, and a data folder
// that services start from, so that neither a test file nor a service makes and migrates a database of its own.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase, type PostgresConnection } from '../../src/adapters/postgres/index.ts';
import { migrations } from '../../src/migrations/index.ts';
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

export async function setup({ provide }: TestProject): Promise<void> {
  const first = await startEmbeddedPostgres({ dataDir, log: silent, settings });
  try {
    const db = await openDatabase({ connection: first.connection, log: silent, poolSize: 2 });
    await db.migrate({ migrations });
    await db.close();
  } finally {
    await first.close();
  }
  // With owners and modes, which PostgreSQL checks.
  execFileSync('cp', ['-a', join(dataDir, 'postgres'), join(seed, 'postgres')]);
  postgres = await startEmbeddedPostgres({ dataDir, log: silent, settings, maxConnections: MAX_CONNECTIONS });
  provide('database', postgres.connection);
  // By the environment: benches start services too, and make their databases themselves.
  process.env['STUDIO_TEST_SEED'] = seed;
}

export async function teardown(): Promise<void> {
  await postgres?.close();
  for (const folder of [dataDir, seed]) rmSync(folder, { recursive: true, force: true });
}
