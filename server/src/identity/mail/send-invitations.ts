import type { Logger } from '../../kernel/log.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { TenantAuditActor } from '../audit-actor.ts';
import { invitationMail } from './invitation.ts';

interface Deps extends DatabaseDeps {
  /** Null where the operator has no mail server. */
  readonly mailer: Mailer | null;
  readonly log: Logger;
}

/** An invitation to send: to whom, and the link. */
export interface InvitationToSend {
  readonly email: string;
  readonly name: string;
  readonly url: string;
}

/** Sends invitations. Resolves with the addresses whose message the mail server took; never rejects because of one that it did not. */
export async function sendInvitations(
  { db, mailer, log }: Deps,
  who: TenantAuditActor,
  invitations: readonly InvitationToSend[],
): Promise<ReadonlySet<string>> {
  if (mailer === null || invitations.length === 0) return new Set();
  const about = await db.query
    .selectFrom('tenants')
    .leftJoin('users', (join) => join.on('users.id', '=', who.userId))
    .select(['tenants.name as tenant', 'users.language'])
    .where('tenants.id', '=', who.tenantId)
    .executeTakeFirstOrThrow();
  const sent = await Promise.all(
    invitations.map(async ({ email, name, url }) => {
      try {
        const mail = { to: email, name, url, tenant: about.tenant, invitedBy: who.name };
        await mailer.send(invitationMail(about.language ?? 'ko', mail));
        return email;
      } catch (error) {
        log.warn({ err: error }, 'invitation could not be mailed');
        return null;
      }
    }),
  );
  return new Set(sent.filter((email) => email !== null));
}
