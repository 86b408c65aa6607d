import type { Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Tables } from '../../ports/database.ts';

// Access lists of sources name people by their addresses. Only an address counts that somebody else vouched for: an administrator, the command line or
// the single sign-on. One that a person gave themselves proves nothing.

interface Proven {
  readonly userId: string;
  readonly email: string;
  /** Null: every tenant that the person belongs to. */
  readonly tenantId: TenantId | null;
}

/** Notes an address, in its stored form, as the person's; whoever had it there before has it no more. */
export async function proveEmail(tx: Transaction<Tables>, { userId, email, tenantId }: Proven): Promise<void> {
  const places = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId)
    .$if(tenantId !== null, (some) => some.where('tenant_id', '=', tenantId as TenantId))
    .where((where) => where.or([where('proven_email', 'is', null), where('proven_email', '<>', email)]))
    .execute();
  for (const { tenant_id: id } of places) {
    await tx
      .updateTable('memberships')
      .set({ proven_email: null })
      .where('tenant_id', '=', id)
      .where('proven_email', '=', email)
      .execute();
    await tx
      .updateTable('memberships')
      .set({ proven_email: email })
      .where('tenant_id', '=', id)
      .where('user_id', '=', userId)
      .execute();
  }
}

/** What was vouched for says nothing of the address that the person has now. */
export async function forgetProvenEmail(tx: Transaction<Tables>, userId: string): Promise<void> {
  await tx.updateTable('memberships').set({ proven_email: null }).where('user_id', '=', userId).execute();
}
