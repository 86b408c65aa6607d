import { sql, type Selectable, type Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { MembershipsTable } from '../tables.ts';
import { isAllowed } from '../policy.ts';

/** A membership with the address and the operator flag of its person. */
export interface LockedMembership extends Selectable<MembershipsTable> {
  readonly email: string;
  readonly operator: boolean;
}

/** Number of the advisory lock of {@link lockPeople}. */
const LOCK = 7_203_316_504;

/**
 * Serialises changes of people, their memberships and their links. Each of them locks rows of several tables, and
 * two that met halfway would each wait for the other.
 */
export const lockPeople = (tx: Transaction<Tables>) => sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx);

/** The same, with the row of a person, which what they do themselves locks first. */
export async function lockPerson(tx: Transaction<Tables>, userId: string): Promise<void> {
  await lockPeople(tx);
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

export const noSuchPerson = () => new StudioError('not_found', 'There is no such person');

/**
 * The membership of a person in the tenant, locked together with those of all its administrators, so that two changes at a time
 * can't each leave the other one as the last. Errors: `not_found`.
 */
export async function lockMembership(
  tx: Transaction<Tables>,
  tenantId: TenantId,
  userId: string,
): Promise<LockedMembership> {
  await lockPeople(tx);
  await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'administrator')
    .orderBy('user_id')
    .forUpdate()
    .execute();
  const membership = await tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['u.email', 'u.operator'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.user_id', '=', userId)
    .forUpdate('m')
    .executeTakeFirst();
  if (!membership) throw noSuchPerson();
  return membership;
}

/** Throws StudioError `conflict`, reason `last_administrator`, where nobody else could manage the tenant. */
export async function requireOtherAdministrator(tx: Transaction<Tables>, membership: LockedMembership): Promise<void> {
  if (membership.role !== 'administrator' || membership.state !== 'active') return;
  const other = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', membership.tenant_id)
    .where('role', '=', 'administrator')
    .where('state', '=', 'active')
    .where('user_id', '!=', membership.user_id)
    .limit(1)
    .executeTakeFirst();
  if (!other)
    throw new StudioError('conflict', 'The last administrator must stay one', { reason: 'last_administrator' });
}

/** Whether the person has joined another tenant too, whose people its administrator must not get hold of. */
export async function isMemberElsewhere(tx: Transaction<Tables>, userId: string, tenantId: TenantId): Promise<boolean> {
  const other = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId)
    .where('tenant_id', '!=', tenantId)
    .where('state', '!=', 'invited')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Whether the person currently may manage the members of the tenant; null means all tenants. */
export async function mayManagePeople(
  tx: Transaction<Tables>,
  userId: string,
  tenantId: TenantId | null,
): Promise<boolean> {
  const user = await tx.selectFrom('users').select('operator').where('id', '=', userId).executeTakeFirst();
  if (user?.operator === true) return true;
  if (tenantId === null) return false;
  const membership = await tx
    .selectFrom('memberships')
    .select('role')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return (
    membership !== undefined &&
    isAllowed({ role: membership.role, operator: false, singleTenant: false }, 'users.manage')
  );
}

/** Deletes the person's sessions in the tenant. */
export async function endSessionsIn(tx: Transaction<Tables>, userId: string, tenantId: TenantId): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('tenant_id', '=', tenantId), eb('tenant_id', 'is', null)]))
    .execute();
}
