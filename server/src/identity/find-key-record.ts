import { CompiledQuery } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import { PREPARED, type Queryable } from '../ports/database.ts';
import type { KeyRecord } from './key-record.ts';
import { recordRows, toRecord } from './key-row.ts';

type RecordRow = Parameters<typeof toRecord>[0];

/** Reads a key of a tenant from the database, for work that outlives its request; null once the key is deleted. */
export async function findKeyRecord(
  { db }: { readonly db: Queryable },
  tenantId: TenantId,
  keyId: string,
): Promise<KeyRecord | null> {
  const query = recordRows(db.query)
    .where('api_keys.id', '=', keyId)
    .where('api_keys.tenant_id', '=', tenantId)
    .where('api_keys.deleted_at', 'is', null)
    .compile();
  // Prepared, as such work runs it for each call of a model.
  const text = `${PREPARED} ${query.sql}`;
  const { rows } = await db.query.executeQuery<RecordRow>(CompiledQuery.raw(text, [...query.parameters]));
  const [row] = rows;
  return row === undefined ? null : toRecord(row);
}
