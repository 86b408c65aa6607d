import { StudioError } from '../../kernel/errors.ts';
import type { CallOrigin } from '../acting.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { spendCode } from '../second-factor/spend-code.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { beginAttempt } from './attempts.ts';
import { findChallenge, takeChallenge } from './challenge.ts';
import { knownDevice } from './known-device.ts';
import { noteFailedSignIn, signIn } from './sign-in.ts';

interface CodeLogin {
  /** Token of the first step; null where the browser sent none. */
  readonly challenge: string | null;
  readonly code: string;
  /** Value of the cookie of known devices; null when the browser sent none. */
  readonly device: string | null;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

const signInExpired = () =>
  new StudioError('unauthenticated', 'The sign-in took too long; begin again', { reason: 'signed_out' });

/** The second step of a sign-in. Errors: `unauthenticated` (wrong_code, signed_out), `rate_limited`. */
export async function loginWithCode(deps: IdentityDeps, input: CodeLogin): Promise<OpenedSession> {
  const { db } = deps;
  const { challenge, origin, replaces } = input;
  const pending = challenge === null ? null : await findChallenge(db.query, 'second_factor', challenge);
  if (challenge === null || !pending?.userId) throw signInExpired();
  const { userId } = pending;
  const user = await db.query
    .selectFrom('users')
    .select(['id', 'email', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) throw signInExpired();
  const knownDeviceId = knownDevice(deps, input.device, user);
  const attempt = await beginAttempt(deps, {
    account: user.email,
    step: 'code',
    address: origin.address,
    known: knownDeviceId,
  });
  const usedCode = await spendCode(deps, db.query, userId, input.code);
  if (usedCode === null) {
    await db.transaction((tx) => noteFailedSignIn(tx, { userId, email: user.email, origin, step: 'code' }));
    throw new StudioError('unauthenticated', 'The code is wrong, or was used already', { reason: 'wrong_code' });
  }
  const session = await db.transaction(async (tx) => {
    if ((await takeChallenge(tx, 'second_factor', challenge)) === null) throw signInExpired();
    return signIn(tx, { userId, method: 'code', origin, replaces });
  });
  await attempt.succeed();
  return session;
}
