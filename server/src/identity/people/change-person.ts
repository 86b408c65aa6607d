import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { Acting } from '../acting.ts';
import { writeAudit } from '../audit.ts';
import { keysFollowHolder } from '../holders.ts';
import type { KeyChangeDeps } from '../key-changes.ts';
import { announcePersonChange } from '../people-changes.ts';
import { endSessionsIn, lockPerson, lockPlace, type Place, requireOtherAdministrator } from './places.ts';

const requireOther = ({ userId }: Acting, target: string) => {
  if (userId === target)
    throw new StudioError('conflict', 'Nobody changes their own place', { reason: 'not_yourself' });
};

const targetOf = ({ user_id, email }: Place) => ({ kind: 'user', id: user_id, name: email });

/**
 * Changes the role or the state of a person in the tenant; their next call is under it, and so are their keys.
 * Errors: `not_found`, `conflict` (not_yourself, last_administrator), `unavailable`.
 */
export async function changePerson(
  deps: KeyChangeDeps,
  who: Acting & { readonly tenantId: TenantId },
  userId: string,
  change: { readonly role?: Role | undefined; readonly state?: 'active' | 'disabled' | undefined },
): Promise<void> {
  const { tenantId } = who;
  await deps.db.transaction(async (tx) => {
    const place = await lockPlace(tx, tenantId, userId);
    requireOther(who, userId);
    const role = change.role ?? place.role;
    const state = change.state ?? place.state;
    if (place.state === 'invited' && state !== 'invited')
      throw new StudioError('conflict', 'This person has not joined yet', { param: 'state' });
    if (role !== 'administrator' || state !== 'active') await requireOtherAdministrator(tx, place);
    await tx
      .updateTable('memberships')
      .set({ role, state })
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .execute();
    await noteChange(tx, who, place, { role, state });
  });
  await announcePersonChange(deps.bus, userId);
  await keysFollowHolder(deps, tenantId, userId);
}

async function noteChange(
  tx: Transaction<Tables>,
  who: Acting,
  place: Place,
  { role, state }: Pick<Place, 'role' | 'state'>,
): Promise<void> {
  const target = targetOf(place);
  if (role !== place.role)
    await writeAudit(tx, who, { action: 'user_role_changed', target, detail: { from: place.role, to: role } });
  if (state === place.state) return;
  if (state === 'disabled') await endSessionsIn(tx, place.user_id, place.tenant_id);
  await writeAudit(tx, who, { action: state === 'disabled' ? 'user_disabled' : 'user_enabled', target });
}

/**
 * Takes a person out of the tenant; who belongs to no other one has no account any more.
 * Errors: `not_found`, `conflict` (not_yourself, last_administrator), `unavailable`.
 */
export async function removePerson(
  deps: KeyChangeDeps,
  who: Acting & { readonly tenantId: TenantId },
  userId: string,
): Promise<void> {
  const { tenantId } = who;
  await deps.db.transaction(async (tx) => {
    // Another tenant may be adding or removing the person at this moment.
    await lockPerson(tx, userId);
    const place = await lockPlace(tx, tenantId, userId);
    requireOther(who, userId);
    await requireOtherAdministrator(tx, place);
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
    await writeAudit(tx, who, { action: 'user_removed', target: targetOf(place) });
  });
  await announcePersonChange(deps.bus, userId);
  await keysFollowHolder(deps, tenantId, userId);
}
