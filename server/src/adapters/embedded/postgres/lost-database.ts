import { sql } from 'kysely';
import type { Database } from '../../../ports/database.ts';
import { lostDatabaseError, holdsDerivedData } from './cluster.ts';

/**
 * To be asked before the first migration, whichever the database is. Throws StudioError `conflict` when the data
 * folder holds originals or an index while no migration was ever made: a new installation beside them would hide the loss.
 */
export async function refuseLostDatabase(database: Database, dataDir: string): Promise<void> {
  if (!holdsDerivedData(dataDir)) return;
  const { rows } = await sql<{ known: boolean }>`SELECT to_regclass('studio_migrations') IS NOT NULL AS known`.execute(
    database.query,
  );
  if (rows[0]?.known !== true) throw lostDatabaseError(dataDir);
}
