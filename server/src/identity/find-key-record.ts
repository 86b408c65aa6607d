import type { TenantId } from '../kernel/context.ts';
import type { Database } from '../ports/database.ts';
import type { KeyRecord } from './key-record.ts';
import { recordRows, toRecord } from './key-row.ts';

/** A key of a tenant as it stands in the database, for work that goes on without its requests; null once it was deleted. */
export async function findKeyRecord(
  { db }: { readonly db: Pick<Database, 'query'> },
  tenantId: TenantId,
  keyId: string,
): Promise<KeyRecord | null> {
  const row = await recordRows(db.query)
    .where('api_keys.id', '=', keyId)
    .where('api_keys.tenant_id', '=', tenantId)
    .where('api_keys.deleted_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}
