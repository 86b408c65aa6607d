import { sql, type Selectable, type Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { MembershipsTable } from '../tables.ts';
import { may } from '../policy.ts';

/** A person's place in a tenant, with what the person is called. */
export interface Place extends Selectable<MembershipsTable> {
  readonly email: string;
  readonly operator: boolean;
}

/** Number of the advisory lock of {@link lockPeople}. */
const LOCK = 7_203_316_504;

/**
 * Lets one change of people, their places and their links happen at a time. Each of them locks rows of several tables, and
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
 * The place of a person in the tenant, locked together with those of all its administrators, so that two changes at a time
 * can't each leave the other one as the last. Errors: `not_found`.
 */
export async function lockPlace(tx: Transaction<Tables>, tenantId: TenantId, userId: string): Promise<Place> {
  await lockPeople(tx);
  await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'administrator')
    .orderBy('user_id')
    .forUpdate()
    .execute();
  const place = await tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['u.email', 'u.operator'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.user_id', '=', userId)
    .forUpdate('m')
    .executeTakeFirst();
  if (!place) throw noSuchPerson();
  return place;
}

/** Throws StudioError `conflict`, reason `last_administrator`, where nobody else could manage the tenant. */
export async function requireOtherAdministrator(tx: Transaction<Tables>, place: Place): Promise<void> {
  if (place.role !== 'administrator' || place.state !== 'active') return;
  const other = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', place.tenant_id)
    .where('role', '=', 'administrator')
    .where('state', '=', 'active')
    .where('user_id', '!=', place.user_id)
    .limit(1)
    .executeTakeFirst();
  if (!other)
    throw new StudioError('conflict', 'The last administrator must stay one', { reason: 'last_administrator' });
}

/** Whether the person has joined another tenant too, whose people its administrator must not get hold of. */
export async function belongsElsewhere(tx: Transaction<Tables>, userId: string, tenantId: TenantId): Promise<boolean> {
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

/** Whether the person may, at this moment, say who belongs to the tenant; null stands for all of them. */
export async function mayManagePeople(
  tx: Transaction<Tables>,
  userId: string,
  tenantId: TenantId | null,
): Promise<boolean> {
  const user = await tx.selectFrom('users').select('operator').where('id', '=', userId).executeTakeFirst();
  if (user?.operator === true) return true;
  if (tenantId === null) return false;
  const place = await tx
    .selectFrom('memberships')
    .select('role')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return place !== undefined && may({ role: place.role, operator: false, singleTenant: false }, 'users.manage');
}

/** Ends what the person has open in the tenant. */
export async function endSessionsIn(tx: Transaction<Tables>, userId: string, tenantId: TenantId): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('tenant_id', '=', tenantId), eb('tenant_id', 'is', null)]))
    .execute();
}
