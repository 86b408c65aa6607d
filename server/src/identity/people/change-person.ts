import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { Transaction } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { AuditActor, TenantAuditActor } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { refreshHolderKeys } from '../refresh-holder-keys.ts';
import type { KeyChangeDeps } from '../key-changes.ts';
import { publishPersonChange } from '../people-changes.ts';
import {
  endSessionsIn,
  lockPerson,
  lockMembership,
  type LockedMembership,
  requireOtherAdministrator,
} from './memberships.ts';

const requireOther = ({ userId }: AuditActor, target: string) => {
  if (userId === target)
    throw new StudioError('conflict', 'You cannot change your own role or state', { reason: 'not_yourself' });
};

const targetOf = ({ user_id, email }: LockedMembership) => ({ kind: 'user', id: user_id, name: email });

/**
 * Changes the role or the state of a person in the tenant; their next call is under it, and so are their keys.
 * Errors: `not_found`, `conflict` (not_yourself, last_administrator), `unavailable`.
 */
export async function changePerson(
  deps: KeyChangeDeps,
  who: TenantAuditActor,
  userId: string,
  change: { readonly role?: Role | undefined; readonly state?: 'active' | 'disabled' | undefined },
): Promise<void> {
  const { tenantId } = who;
  await deps.db.transaction(async (tx) => {
    const membership = await lockMembership(tx, tenantId, userId);
    requireOther(who, userId);
    const role = change.role ?? membership.role;
    const state = change.state ?? membership.state;
    if (membership.state === 'invited' && state !== 'invited')
      throw new StudioError('conflict', 'This person has not joined yet', { param: 'state' });
    if (role !== 'administrator' || state !== 'active') await requireOtherAdministrator(tx, membership);
    await tx
      .updateTable('memberships')
      .set({ role, state })
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .execute();
    await noteChange(tx, who, membership, { role, state });
  });
  await publishPersonChange(deps.bus, userId);
  await refreshHolderKeys(deps, tenantId, userId);
}

async function noteChange(
  tx: Transaction<Tables>,
  who: AuditActor,
  membership: LockedMembership,
  { role, state }: Pick<LockedMembership, 'role' | 'state'>,
): Promise<void> {
  const target = targetOf(membership);
  if (role !== membership.role)
    await writeAudit(tx, who, { action: 'user_role_changed', target, detail: { from: membership.role, to: role } });
  if (state === membership.state) return;
  if (state === 'disabled') await endSessionsIn(tx, membership.user_id, membership.tenant_id);
  await writeAudit(tx, who, { action: state === 'disabled' ? 'user_disabled' : 'user_enabled', target });
}

/**
 * Takes a person out of the tenant; who belongs to no other one has no account any more.
 * Errors: `not_found`, `conflict` (not_yourself, last_administrator), `unavailable`.
 */
export async function removePerson(deps: KeyChangeDeps, who: TenantAuditActor, userId: string): Promise<void> {
  const { tenantId } = who;
  await deps.db.transaction(async (tx) => {
    // Another tenant may be adding or removing the person at this moment.
    await lockPerson(tx, userId);
    const membership = await lockMembership(tx, tenantId, userId);
    requireOther(who, userId);
    await requireOtherAdministrator(tx, membership);
    await tx.deleteFrom('memberships').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute();
    await tx.deleteFrom('one_time_links').where('user_id', '=', userId).where('tenant_id', '=', tenantId).execute();
    await endSessionsIn(tx, userId, tenantId);
    await tx
      .deleteFrom('users')
      .where('id', '=', userId)
      .where('operator', '=', false)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('memberships').select('user_id').where('memberships.user_id', '=', userId))),
      )
      .execute();
    await writeAudit(tx, who, { action: 'user_removed', target: targetOf(membership) });
  });
  await publishPersonChange(deps.bus, userId);
  await refreshHolderKeys(deps, tenantId, userId);
}
