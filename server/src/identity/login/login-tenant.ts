import type { Kysely } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Tables } from '../../ports/database.ts';

/** Tenant after a sign-in; `tenantId` is null for an operator or an invited person without a tenant. */
export interface LoginTenant {
  readonly tenantId: TenantId | null;
}

/** The last tenant of a person, else their first one. Null where they may sign in nowhere. */
export async function findLoginTenant(query: Kysely<Tables>, userId: string): Promise<LoginTenant | null> {
  const memberships = await query
    .selectFrom('memberships')
    .select(['tenant_id', 'state'])
    .where('user_id', '=', userId)
    .where('state', '!=', 'disabled')
    .orderBy('seen_at', (order) => order.desc().nullsLast())
    .orderBy('created_at')
    .execute();
  const active = memberships.find(({ state }) => state === 'active');
  if (active) return { tenantId: active.tenant_id };
  if (memberships.length > 0) return { tenantId: null };
  const user = await query.selectFrom('users').select('operator').where('id', '=', userId).executeTakeFirst();
  return user?.operator === true ? { tenantId: null } : null;
}
