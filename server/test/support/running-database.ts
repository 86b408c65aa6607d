import { findRunningPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import type { Database } from '../../src/ports/database.ts';
import { silent } from './postgres.ts';
import type { Service } from './service.ts';

/** Does work on the database of a running service. */
export async function withDatabaseOf<T>(
  { dataFolder, databaseUrl: url }: Pick<Service, 'dataFolder' | 'databaseUrl'>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const connection = url === null ? findRunningPostgres(dataFolder) : { url };
  if (connection === null) throw new Error('the database is not running');
  const db = await openDatabase({ connection, log: silent, poolSize: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
