import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Kysely } from 'kysely';
import type { Database, Tables } from '../ports/database.ts';
import { toInfo, type KeyInfo } from './key-row.ts';
import { readSettings } from './tenant-settings.ts';

/** A key and its creator; null for the service itself. */
export interface KeyDetails extends KeyInfo {
  readonly creator: { readonly id: string; readonly name: string } | null;
}

interface Deps {
  readonly db: Database;
}

/** The tenant's keys that were not deleted, newest first; only those of one person where `createdBy` is given. */
export async function listKeyDetails(
  { db }: Deps,
  tenantId: TenantId,
  createdBy: string | null,
): Promise<KeyDetails[]> {
  let query = db.query
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by')
    .selectAll('api_keys')
    .select('users.name as creator_name')
    .where('api_keys.tenant_id', '=', tenantId)
    .where('api_keys.deleted_at', 'is', null);
  if (createdBy !== null) query = query.where('api_keys.created_by', '=', createdBy);
  const rows = await query.orderBy('api_keys.created_at', 'desc').orderBy('api_keys.id').execute();
  return rows.map((row) => ({
    ...toInfo(row),
    creator: row.created_by === null ? null : { id: row.created_by, name: row.creator_name ?? '' },
  }));
}

/**
 * Throws StudioError `conflict` (`key_limit_reached`) where the tenant has the maximum number of keys. Must be called within a change
 * of keys, as these are serialised.
 */
export async function requireKeyQuota(query: Kysely<Tables>, tenantId: TenantId): Promise<void> {
  const { max_keys: maxKeys } = await readSettings({ db: { query } }, tenantId);
  const { count } = await query
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxKeys)
    throw new StudioError('conflict', `The tenant may hold ${maxKeys} API keys; delete one first`, {
      reason: 'key_limit_reached',
      values: { most: maxKeys },
    });
}
