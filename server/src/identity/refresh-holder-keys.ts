import { changeKeys, type KeyChangeDeps, waitUntilApplied } from './key-changes.ts';
import type { TenantId } from '../kernel/context.ts';

/**
 * Updates keys after a membership has changed: once it resolves, every process knows whether the keys that the
 * person holds may still be used. Errors: `unavailable` when a process has not confirmed.
 */
export async function refreshHolderKeys(deps: KeyChangeDeps, tenantId: TenantId, userId: string): Promise<void> {
  const changed = await changeKeys(deps, async (tx, version) => {
    const updatedKeys = await tx
      .updateTable('api_keys')
      .set({ version })
      .where('tenant_id', '=', tenantId)
      .where('created_by', '=', userId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute();
    return updatedKeys.length === 0 ? null : true;
  });
  if (changed !== null) await waitUntilApplied(deps.db, changed.version);
}
