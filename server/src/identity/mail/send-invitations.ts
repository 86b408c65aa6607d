import type { Logger } from '../../kernel/log.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { type Mailer, MailServerAway } from '../../ports/mailer.ts';
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

/** Messages that are handed over at the same time, and how long all of them may take: whoever invites waits for the links. */
const AT_ONCE = 3;
const TIMEOUT_MS = 15_000;

/**
 * Sends invitations. Resolves with the addresses whose message the mail server took in time; never rejects because of one that it did not. Begins no
 * more once the server is away or the time is over.
 */
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
  const waiting = invitations.toReversed();
  const sent = new Set<string>();
  const sendAll = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { email, name, url } = one;
      try {
        const mail = { to: email, name, url, tenant: about.tenant, invitedBy: who.name };
        await mailer.send(invitationMail(about.language ?? 'ko', mail));
        sent.add(email);
      } catch (error) {
        log.warn({ err: error }, 'invitation could not be mailed');
        if (error instanceof MailServerAway) waiting.length = 0;
      }
    }
  };
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, TIMEOUT_MS);
  await Promise.race([Promise.all(Array.from({ length: AT_ONCE }, sendAll)), late]);
  clearTimeout(timer);
  waiting.length = 0;
  // What is taken later is told as not mailed: whoever invites has its link.
  return new Set(sent);
}
