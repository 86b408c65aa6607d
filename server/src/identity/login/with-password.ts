import type { CallOrigin } from '../audit-actor.ts';
import { normalizeEmail } from '../email.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { beginAttempt, verifyPassword } from './attempts.ts';
import { createChallenge } from './challenge.ts';
import { verifyKnownDevice } from './known-device.ts';
import { auditFailedSignIn, signIn, wrongCredentials } from './sign-in.ts';
import { findLoginTenant } from './login-tenant.ts';

interface PasswordLogin {
  readonly email: string;
  readonly password: string;
  /** Value of the cookie of known devices; null when the browser sent none. */
  readonly device: string | null;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

/** A session, or the token of a challenge for the second factor. */
export type LoginStep =
  | { readonly state: 'signed_in'; readonly session: OpenedSession }
  | { readonly state: 'second_factor'; readonly challenge: string };

/**
 * The first step of a sign-in. An unknown account, one without a password and one without a tenant get the same reply as a wrong
 * password, after the same work. Errors: `unauthenticated`, `rate_limited`, `unavailable`.
 */
export async function loginWithPassword(deps: IdentityDeps, input: PasswordLogin): Promise<LoginStep> {
  const { db, passwords } = deps;
  const { origin, replaces } = input;
  const email = normalizeEmail(input.email);
  const user = await db.query
    .selectFrom('users')
    .select(['id', 'password_hash', 'totp_confirmed_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  const knownDeviceId = verifyKnownDevice(deps, input.device, user);
  const attempt = await beginAttempt(deps, {
    account: email,
    step: 'password',
    address: origin.address,
    known: knownDeviceId,
  });
  const { ok, outdated } = await verifyPassword(passwords, attempt, input.password, user?.password_hash ?? null);
  // Checked before the second factor, which would reveal that the password was right.
  if (!ok || !user || !(await findLoginTenant(db.query, user.id))) {
    await db.transaction((tx) => auditFailedSignIn(tx, { userId: user?.id ?? null, email, origin, step: 'password' }));
    throw wrongCredentials();
  }
  if (outdated) {
    const password_hash = await passwords.hash(input.password);
    // Does not overwrite a password that was changed meanwhile.
    await db.query
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .execute();
  }
  if (user.totp_confirmed_at !== null) {
    const challenge = await createChallenge(db.query, 'second_factor', user.id);
    // Earlier failures count until the second factor succeeds too, so that it can't be guessed endlessly.
    await attempt.withdraw();
    return { state: 'second_factor', challenge };
  }
  const session = await db.transaction((tx) => signIn(tx, { userId: user.id, method: 'password', origin, replaces }));
  await attempt.succeed();
  return { state: 'signed_in', session };
}
