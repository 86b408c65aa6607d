import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { Transaction } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Tables } from '../../ports/database.ts';
import type { TenantAuditActor } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { normalizeEmail } from '../email.ts';
import { createLink, type IssuedLink } from '../links/one-time-links.ts';
import { lockPeople } from './memberships.ts';

export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/**
 * Invites a person to a tenant. Somebody who has an account keeps it, and joins only when they accept; whoever invites
 * can't tell the difference. Errors: `conflict` (already_member).
 */
export async function invite(
  tx: Transaction<Tables>,
  who: TenantAuditActor,
  { email: given, name, role }: Invitation,
): Promise<{ readonly userId: string; readonly link: IssuedLink }> {
  const { tenantId } = who;
  const email = normalizeEmail(given);
  await lockPeople(tx);
  await tx
    .insertInto('users')
    .values({ id: hexId(), email, name })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const { id: userId } = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  const made = await tx
    .insertInto('memberships')
    .values({ tenant_id: tenantId, user_id: userId, role, state: 'invited', name, proven_email: email })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (!made)
    throw new StudioError('conflict', 'This person is in the list already', {
      param: 'email',
      reason: 'already_member',
    });
  const link = await createLink(tx, { kind: 'invite', userId, tenantId, createdBy: who.userId });
  await writeAudit(tx, who, {
    action: 'user_invited',
    target: { kind: 'user', id: userId, name: email },
    detail: { role },
  });
  return { userId, link };
}
