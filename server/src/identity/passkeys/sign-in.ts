import type { AuthenticationResponseJSON, VerifiedAuthenticationResponse } from '@simplewebauthn/server';
import { sql, type Selectable } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { CallOrigin } from '../audit-actor.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { createChallenge, consumeChallenge } from '../login/challenge.ts';
import { auditFailedSignIn, signIn } from '../login/sign-in.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { rpIdOf } from './rp-id.ts';

/** What the browser needs to find a passkey for this page, and the token of the challenge. Errors: `invalid_request`. */
export async function startPasskeySignIn(
  { db }: IdentityDeps,
  site: string,
): Promise<{ readonly options: Record<string, unknown>; readonly challenge: string }> {
  const rpID = rpIdOf(site);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  const challenge = await createChallenge(db.query, 'passkey_login', null, { challenge: options.challenge });
  return { options: { ...options }, challenge };
}

interface PasskeySignIn {
  /** As the browser made it. */
  readonly response: Readonly<Record<string, unknown>>;
  readonly challenge: string | null;
  readonly site: string;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

const passkeyRejected = (cause?: unknown) =>
  new StudioError('unauthenticated', 'The passkey is not known here, or the sign-in took too long', {
    reason: 'sign_in_failed',
    cause,
  });

/** Signs in with a passkey, which is as good as two factors. Errors: `unauthenticated`. */
export async function loginWithPasskey(deps: IdentityDeps, input: PasskeySignIn): Promise<OpenedSession> {
  const { db } = deps;
  const { challenge, origin, replaces } = input;
  const pending = challenge === null ? null : await consumeChallenge(db.query, 'passkey_login', challenge);
  if (!pending) throw passkeyRejected();
  const { id } = input.response;
  const passkey = await db.query
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .select('users.email')
    .where('credential_id', '=', typeof id === 'string' ? id : '')
    .executeTakeFirst();
  if (!passkey) throw passkeyRejected();
  const { authenticationInfo } = await verify(passkey, input, pending.data['challenge'] ?? '').catch(
    async (error: unknown) => {
      const { user_id: userId } = passkey;
      await db.transaction((tx) => auditFailedSignIn(tx, { userId, email: passkey.email, origin, step: 'passkey' }));
      throw error;
    },
  );
  return db.transaction(async (tx) => {
    const used = await tx
      .updateTable('passkeys')
      .set({ counter: authenticationInfo.newCounter, last_used_at: sql<Date>`now()` })
      .where('id', '=', passkey.id)
      // An answer that was copied from the device would count the same twice.
      .where('counter', '=', passkey.counter)
      .returning('id')
      .executeTakeFirst();
    if (!used) throw passkeyRejected();
    return signIn(tx, { userId: passkey.user_id, method: 'passkey', origin, replaces });
  });
}

async function verify(
  passkey: Selectable<Tables['passkeys']>,
  { response, site }: PasskeySignIn,
  expectedChallenge: string,
): Promise<VerifiedAuthenticationResponse> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const verified = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: site,
      expectedRPID: rpIdOf(site),
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    if (verified.verified) return verified;
  } catch (cause) {
    throw passkeyRejected(cause);
  }
  throw passkeyRejected();
}
