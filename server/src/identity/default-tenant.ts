import { sql } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import type { DatabaseDeps } from '../ports/database.ts';

/** Advisory lock that lets only one process create the first tenant. */
const LOCK = 7_203_316_502;

/** Returns the oldest tenant; creates one where there is none. */
export function ensureDefaultTenant({ db }: DatabaseDeps): Promise<TenantId> {
  return db.transaction(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx);
    const oldest = await tx
      .selectFrom('tenants')
      .select('id')
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (oldest !== undefined) return oldest.id;
    const id = hexId() as TenantId;
    await tx.insertInto('tenants').values({ id, name: 'Default' }).execute();
    return id;
  });
}
