import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { AuditActor } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { createLink, type IssuedLink } from '../links/one-time-links.ts';
import { isMemberElsewhere, lockMembership } from './memberships.ts';

/**
 * A new link for a person of the tenant: the invitation of who has not joined, else one that resets the password. An
 * administrator gets hold of nobody who belongs to another tenant too, nor of an operator; operators may.
 * Errors: `not_found`, `conflict` (not_yourself, account_disabled), `forbidden` (member_of_other_tenants).
 */
export async function issuePersonLink(
  { db }: DatabaseDeps,
  who: AuditActor & { readonly tenantId: TenantId; readonly operator: boolean },
  userId: string,
): Promise<IssuedLink> {
  const { tenantId } = who;
  return db.transaction(async (tx) => {
    const membership = await lockMembership(tx, tenantId, userId);
    const target = { kind: 'user', id: userId, name: membership.email };
    if (membership.state === 'invited') {
      await writeAudit(tx, who, { action: 'user_invited', target, detail: { role: membership.role, again: true } });
      return createLink(tx, { kind: 'invite', userId, tenantId, createdBy: who.userId });
    }
    if (who.userId === userId)
      throw new StudioError('conflict', 'Change your own password in your profile', { reason: 'not_yourself' });
    if (membership.state === 'disabled')
      throw new StudioError('conflict', 'This person is disabled', { reason: 'account_disabled' });
    if (!who.operator && (membership.operator || (await isMemberElsewhere(tx, userId, tenantId))))
      throw new StudioError('forbidden', 'This person belongs to other organisations too', {
        reason: 'member_of_other_tenants',
      });
    await writeAudit(tx, who, { action: 'password_reset_link', target });
    // In the name of the tenant, so that it stops working when the person joins another one before it is used.
    return createLink(tx, {
      kind: 'reset',
      userId,
      tenantId: who.operator ? null : tenantId,
      createdBy: who.userId,
    });
  });
}
