import { StudioError } from '../../kernel/errors.ts';
import { auditActorOf, type CallOrigin } from '../audit-actor.ts';
import { requireRecentAuthentication } from '../recent-authentication.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { beginAttempt } from '../login/attempts.ts';
import { changeEmail } from '../people/replace-email.ts';
import type { SignedIn } from '../signed-in.ts';
import { confirmPassword } from './password.ts';

/**
 * Gives the person another address to sign in with; their other sessions end. It takes the password; who has none must have
 * signed in a moment ago. Attempts at addresses that others have are limited like guesses. Errors: `forbidden`
 * (wrong_credentials, reauthentication_needed), `invalid_request`, `conflict` (email_taken), `rate_limited`.
 */
export async function changeOwnEmail(
  deps: IdentityDeps,
  person: SignedIn,
  input: { readonly email: string; readonly password?: string | undefined; readonly origin: CallOrigin },
): Promise<void> {
  const { userId, sessionId } = person;
  const { email, password, origin } = input;
  if (password !== undefined) await confirmPassword(deps, person, password, { origin, param: 'password' });
  else if (await hasPassword(deps, userId))
    throw new StudioError('invalid_request', 'Give your password', { param: 'password', reason: 'invalid_field' });
  else requireRecentAuthentication(person, deps.now());
  const attempt = await beginAttempt(deps, {
    account: 'another address',
    step: 'password',
    address: origin.address,
    known: `person:${userId}`,
  });
  await changeEmail(deps, {
    userId,
    email,
    keepSession: sessionId,
    who: auditActorOf(person, origin),
    vouchedIn: null,
  });
  await attempt.withdraw();
}

async function hasPassword({ db }: IdentityDeps, userId: string): Promise<boolean> {
  const user = await db.query.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return user?.password_hash != null;
}
