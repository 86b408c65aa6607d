import type { Transaction } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest } from '../kernel/errors.ts';
import type { Tables } from '../ports/database.ts';
import { changeKeys, type KeyChangeDeps } from './key-changes.ts';
import { systemAuditActor } from './audit-actor.ts';
import { isWellFormedKey, generateKeyValue } from './key-format.ts';
import { newRow, type IssuedKey } from './issue-key.ts';
import { toInfo } from './key-row.ts';

/**
 * Registers a key value from the operator (STUDIO_INIT_API_KEY), with all scopes, while the tenant has no key.
 * Resolves with whether it did. A deleted value is not restored. Source: decisions section 7.
 * Errors: `invalid_request` for a value that can't be a key.
 */
export async function registerInitialKey(deps: KeyChangeDeps, tenantId: TenantId, value: string): Promise<boolean> {
  if (!isWellFormedKey(value)) {
    throw invalidRequest(
      'STUDIO_INIT_API_KEY must be 16 to 200 visible ASCII characters; one that begins with aist_ must be a whole key with its checksum.',
      'STUDIO_INIT_API_KEY',
    );
  }
  const registered = await changeKeys(deps, async (tx, version) => {
    if (await hasKeys(tx, tenantId, 'live')) return null;
    const row = newRow(systemAuditActor(tenantId), { name: 'Initial key' }, value, version);
    const inserted = await tx
      .insertInto('api_keys')
      .values(row)
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .returning('id')
      .executeTakeFirst();
    return inserted ?? null;
  });
  return registered !== null;
}

/** Issues the key that a first start shows, with all scopes. Null when the tenant has, or ever had, a key. */
export async function issueFirstKey(deps: KeyChangeDeps, tenantId: TenantId): Promise<IssuedKey | null> {
  const value = generateKeyValue();
  const issued = await changeKeys(deps, async (tx, version) => {
    if (await hasKeys(tx, tenantId, 'ever')) return null;
    const row = newRow(systemAuditActor(tenantId), { name: 'First key' }, value, version);
    return tx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow();
  });
  return issued === null ? null : { key: toInfo(issued.result), value };
}

/** Has no race with other processes, as changes of keys are serialised. */
async function hasKeys(tx: Transaction<Tables>, tenantId: TenantId, which: 'live' | 'ever'): Promise<boolean> {
  let query = tx.selectFrom('api_keys').select('id').where('tenant_id', '=', tenantId).limit(1);
  if (which === 'live') query = query.where('deleted_at', 'is', null);
  return (await query.executeTakeFirst()) !== undefined;
}
