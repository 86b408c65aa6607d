import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { auditActorOf, type CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { requireRecentAuthentication } from '../recent-authentication.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { beginAttempt, verifyPassword } from '../login/attempts.ts';
import { auditFailedSignIn } from '../login/sign-in.ts';
import { requireStrongPassword } from '../passwords/weak.ts';
import type { SignedIn } from '../signed-in.ts';

/** Checks the person's own password, under the limits of a sign-in. Throws StudioError `forbidden`, `rate_limited`. */
export async function confirmPassword(
  deps: IdentityDeps,
  person: SignedIn,
  password: string,
  { origin, param }: { origin: CallOrigin; param: string },
): Promise<void> {
  const attempt = await beginAttempt(deps, {
    account: person.email,
    step: 'password',
    address: origin.address,
    known: `session:${person.sessionId}`,
  });
  const user = await deps.db.query
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', person.userId)
    .executeTakeFirst();
  const { ok } = await verifyPassword(deps.passwords, attempt, password, user?.password_hash ?? null);
  if (!ok) {
    const { userId, email } = person;
    await deps.db.transaction((tx) => auditFailedSignIn(tx, { userId, email, origin, step: 'confirmation' }));
    throw new StudioError('forbidden', 'The password is wrong', { param, reason: 'wrong_credentials' });
  }
  await attempt.withdraw();
}

/** Proves anew who is there, for what is sensitive. Errors: `forbidden` (wrong_credentials), `rate_limited`. */
export async function reauthenticate(
  deps: IdentityDeps,
  person: SignedIn,
  password: string,
  origin: CallOrigin,
): Promise<void> {
  await confirmPassword(deps, person, password, { origin, param: 'password' });
  await deps.db.query
    .updateTable('sessions')
    .set({ authenticated_at: sql<Date>`now()` })
    .where('id', '=', person.sessionId)
    .execute();
}

/**
 * Sets another password; all other sessions and all reset links of the person end. Without the present password the last
 * proof must be fresh. Errors: `forbidden`, `invalid_request` (password_weak), `rate_limited`.
 */
export async function changePassword(
  deps: IdentityDeps,
  person: SignedIn,
  input: { readonly current?: string | undefined; readonly password: string; readonly origin: CallOrigin },
): Promise<void> {
  const { db, passwords, now } = deps;
  const { current, password, origin } = input;
  if (current === undefined) requireRecentAuthentication(person, now());
  else await confirmPassword(deps, person, current, { origin, param: 'current' });
  requireStrongPassword(password, person);
  const password_hash = await passwords.hash(password);
  await db.transaction(async (tx) => {
    await tx.updateTable('users').set({ password_hash }).where('id', '=', person.userId).execute();
    await tx.deleteFrom('sessions').where('user_id', '=', person.userId).where('id', '!=', person.sessionId).execute();
    await tx.deleteFrom('login_challenges').where('user_id', '=', person.userId).execute();
    await tx.deleteFrom('one_time_links').where('user_id', '=', person.userId).where('kind', '=', 'reset').execute();
    await writeAudit(tx, auditActorOf(person, origin), { action: 'password_changed' });
  });
}
