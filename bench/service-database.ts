import { findRunningPostgres } from '../server/src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../server/src/adapters/postgres/index.ts';
import type { TenantId } from '../server/src/kernel/context.ts';
import type { Database } from '../server/src/ports/database.ts';
import { silent } from '../server/test/support/silent-log.ts';

/** The database of a service that runs, and its tenant. The caller closes it. */
export async function openServiceDatabase(
  dataFolder: string,
): Promise<{ readonly db: Database; readonly tenantId: TenantId }> {
  const connection = findRunningPostgres(dataFolder);
  if (connection === null) throw new Error('the database does not run');
  const db = await openDatabase({ connection, log: silent, poolSize: 1 });
  const { id } = await db.query.selectFrom('tenants').select('id').executeTakeFirstOrThrow();
  return { db, tenantId: id };
}
