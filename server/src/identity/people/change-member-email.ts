import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database } from '../../ports/database.ts';
import type { AuditActor } from '../audit-actor.ts';
import { publishPersonChange } from '../people-changes.ts';
import { isMemberElsewhere, lockMembership } from './memberships.ts';
import { changeEmail } from './replace-email.ts';

/**
 * Gives a person of the tenant another address; their sessions end. As with reset links an administrator gets hold of nobody
 * who belongs to another tenant too, nor of an operator; operators may. Errors: `not_found`, `conflict` (not_yourself,
 * email_taken; no reason for who has not joined), `forbidden` (member_of_other_tenants).
 */
export async function changeMemberEmail(
  { db, bus }: { readonly db: Database; readonly bus: Bus },
  who: AuditActor & { readonly tenantId: TenantId; readonly operator: boolean },
  userId: string,
  email: string,
): Promise<void> {
  const { tenantId } = who;
  const vouchedIn = who.operator ? ('all' as const) : tenantId;
  await changeEmail({ db }, { userId, email, keepSession: null, who, vouchedIn }, async (tx) => {
    const membership = await lockMembership(tx, tenantId, userId);
    if (who.userId === userId)
      throw new StudioError('conflict', 'Change your own address in your profile', { reason: 'not_yourself' });
    if (membership.state === 'invited')
      throw new StudioError('conflict', 'This person has not joined yet: remove and invite them anew', {
        param: 'email',
      });
    if (!who.operator && (membership.operator || (await isMemberElsewhere(tx, userId, tenantId))))
      throw new StudioError('forbidden', 'This person belongs to other organisations too', {
        reason: 'member_of_other_tenants',
      });
  });
  await publishPersonChange(bus, userId);
}
