import { StudioError } from '../../kernel/errors.ts';
import type { CallOrigin } from '../audit-actor.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { consumeCode } from '../second-factor/consume-code.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { beginAttempt } from './attempts.ts';
import { findChallenge, consumeChallenge } from './challenge.ts';
import { verifyKnownDevice } from './known-device.ts';
import { auditFailedSignIn, signIn } from './sign-in.ts';

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
  const knownDeviceId = verifyKnownDevice(deps, input.device, user);
  const attempt = await beginAttempt(deps, {
    account: user.email,
    step: 'code',
    address: origin.address,
    known: knownDeviceId,
  });
  const usedCode = await consumeCode(deps, db.query, userId, input.code);
  if (usedCode === null) {
    await db.transaction((tx) => auditFailedSignIn(tx, { userId, email: user.email, origin, step: 'code' }));
    throw new StudioError('unauthenticated', 'The code is wrong, or was used already', { reason: 'wrong_code' });
  }
  const session = await db.transaction(async (tx) => {
    if ((await consumeChallenge(tx, 'second_factor', challenge)) === null) throw signInExpired();
    return signIn(tx, { userId, method: 'code', origin, replaces });
  });
  await attempt.succeed();
  return session;
}
