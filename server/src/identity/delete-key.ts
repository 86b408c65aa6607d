import { StudioError } from '../kernel/errors.ts';
import { changeKeys, waitUntilApplied, type KeyChangeDeps } from './key-changes.ts';
import { writeAudit } from './audit.ts';
import type { TenantAuditActor } from './audit-actor.ts';

/**
 * Deletes a key of the tenant. Once this resolves every process refuses it. Source: decisions section 7.
 * Errors: `not_found`; `unavailable` when a process has not confirmed (the deletion is stored and may be asked for again).
 */
export async function deleteKey(deps: KeyChangeDeps, who: TenantAuditActor, keyId: string): Promise<void> {
  const deleted = await changeKeys(deps, async (tx, version) => {
    const key = await tx
      .selectFrom('api_keys')
      .select(['id', 'name', 'deleted_at'])
      .where('id', '=', keyId)
      .where('tenant_id', '=', who.tenantId)
      .forUpdate()
      .executeTakeFirst();
    if (!key) return null;
    await tx
      .updateTable('api_keys')
      // A repeated deletion keeps the first time; the new version lets the caller wait again.
      .set((eb) => ({ deleted_at: eb.fn.coalesce('deleted_at', eb.fn<Date>('now')), version }))
      .where('id', '=', keyId)
      .execute();
    if (key.deleted_at === null)
      await writeAudit(tx, who, {
        action: 'key_deleted',
        target: { kind: 'key', id: key.id, name: key.name },
      });
    return key;
  });
  if (deleted === null) throw new StudioError('not_found', 'There is no such API key.');
  await waitUntilApplied(deps.db, deleted.version);
}
