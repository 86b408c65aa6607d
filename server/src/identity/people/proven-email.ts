import type { Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Tables } from '../../ports/database.ts';

// Access lists of sources name people by their addresses. Only an address counts that somebody else vouched for: an administrator, the command line or
// the single sign-on. One that a person gave themselves proves nothing.

/**
 * Notes an address, in its stored form, as that of a person in a tenant, or in all of theirs; whoever had it there before has it no more.
 */
export async function proveEmail(
  tx: Transaction<Tables>,
  userId: string,
  email: string,
  where: TenantId | 'all',
): Promise<void> {
  const places = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId)
    .$if(where !== 'all', (some) => some.where('tenant_id', '=', where as TenantId))
    .where((eb) => eb.or([eb('proven_email', 'is', null), eb('proven_email', '<>', email)]))
    .execute();
  for (const { tenant_id: tenantId } of places) {
    const inTenant = tx.updateTable('memberships').where('tenant_id', '=', tenantId);
    await inTenant.set({ proven_email: null }).where('proven_email', '=', email).execute();
    await inTenant.set({ proven_email: email }).where('user_id', '=', userId).execute();
  }
}

/** What was vouched for says nothing of the address that the person has now. */
export async function forgetProvenEmail(tx: Transaction<Tables>, userId: string): Promise<void> {
  await tx.updateTable('memberships').set({ proven_email: null }).where('user_id', '=', userId).execute();
}
