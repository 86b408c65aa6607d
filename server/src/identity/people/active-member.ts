import type { Person } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';

/** Whether a person may be in a tenant at this moment. */
export async function isActiveMember({ db }: DatabaseDeps, { tenantId, userId }: Person): Promise<boolean> {
  const membership = await db.query
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return membership !== undefined;
}
