import type { DatabaseDeps } from '../ports/database.ts';
import type { TenantId } from '../kernel/context.ts';
import { toInfo, type KeyInfo } from './key-row.ts';

/** The tenant's keys that were not deleted, newest first. */
export async function listKeys({ db }: DatabaseDeps, tenantId: TenantId): Promise<KeyInfo[]> {
  const rows = await db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toInfo);
}
