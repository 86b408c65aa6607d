import type { TenantAuditActor } from '../audit-actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { normalizeEmail } from '../email.ts';
import type { IssuedLink } from '../links/one-time-links.ts';
import { type Invitation, invite } from './invite.ts';
import { lockPeople } from './memberships.ts';

/** What came of one of many invitations; null: the person is in the list already, or stands in it twice. */
export interface ManyInvited extends Invitation {
  readonly link: IssuedLink | null;
}

/** Invites many people to the tenant, all of them or none; people who are in its list already are left as they are. */
export const inviteMany = (
  { db }: DatabaseDeps,
  who: TenantAuditActor,
  invitations: readonly Invitation[],
): Promise<ManyInvited[]> =>
  db.transaction(async (tx) => {
    await lockPeople(tx);
    const emails = invitations.map(({ email }) => normalizeEmail(email));
    const members = await tx
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('users.email')
      .where('memberships.tenant_id', '=', who.tenantId)
      .where('users.email', 'in', emails)
      .execute();
    const known = new Set(members.map(({ email }) => email));
    const invited: ManyInvited[] = [];
    for (const { name, role, ...given } of invitations) {
      const email = normalizeEmail(given.email);
      const link = known.has(email) ? null : (await invite(tx, who, { email, name, role })).link;
      known.add(email);
      invited.push({ email, name, role, link });
    }
    return invited;
  });
