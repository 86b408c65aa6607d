import type { Passkey } from '@ai-studio/contract/console/session.ts';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Database, Tables, DatabaseDeps } from '../../ports/database.ts';
import { auditActorOf, type CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { requireRecentAuthentication } from '../recent-authentication.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { createChallenge, consumeChallenge } from '../login/challenge.ts';
import type { SignedIn } from '../signed-in.ts';
import { rpIdOf } from './rp-id.ts';

const MAX_PASSKEYS = 20;
const RP_NAME = 'AI Studio';
/** EdDSA, ES256 and RS256, which all devices have one of. Source: IANA, COSE Algorithms. */
const ALGORITHMS = [-8, -7, -257];

type PasskeyInfo = z.input<typeof Passkey>;

const toPasskeyInfo = ({
  id,
  name,
  created_at,
  last_used_at,
}: Pick<Selectable<Tables['passkeys']>, keyof PasskeyInfo>): PasskeyInfo => ({
  id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
});

const noSuchPasskey = () => new StudioError('not_found', 'There is no such passkey');

/** The person's passkeys, oldest first. */
export async function listPasskeys({ db }: DatabaseDeps, { userId }: SignedIn): Promise<PasskeyInfo[]> {
  const rows = await db.query
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toPasskeyInfo);
}

/** What the browser needs to make a passkey, and the token of the challenge. Errors: `forbidden`, `conflict`, `invalid_request`. */
export async function startPasskeyRegistration(
  { db, now }: IdentityDeps,
  person: SignedIn,
  site: string,
): Promise<{ readonly options: Record<string, unknown>; readonly challenge: string }> {
  requireRecentAuthentication(person, now());
  const rpID = rpIdOf(site);
  const known = await db.query
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', person.userId)
    .execute();
  if (known.length >= MAX_PASSKEYS) throw new StudioError('conflict', `A person has ${MAX_PASSKEYS} passkeys at most`);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    userID: new Uint8Array(Buffer.from(person.userId, 'hex')),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    // Found without a name being typed, and as good as two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const challenge = await createChallenge(db.query, 'passkey_add', person.userId, { challenge: options.challenge });
  return { options: { ...options }, challenge };
}

export interface PasskeyInput {
  readonly name: string;
  /** As the browser made it. */
  readonly response: unknown;
  /** Token of the challenge; null when the browser sent none. */
  readonly challenge: string | null;
  /** Address of the page, such as `https://studio.example.kr`. */
  readonly site: string;
  readonly origin: CallOrigin;
}

/** Keeps a new passkey. Errors: `forbidden`, `invalid_request`, `conflict`. */
export async function addPasskey(
  { db, now }: IdentityDeps,
  person: SignedIn,
  input: PasskeyInput,
): Promise<PasskeyInfo> {
  requireRecentAuthentication(person, now());
  const credential = await verifiedCredential(db, person, input);
  return db.transaction(async (tx) => {
    const made = await tx
      .insertInto('passkeys')
      .values({
        id: hexId(),
        user_id: person.userId,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: [...(credential.transports ?? [])],
        name: input.name,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(['id', 'name', 'created_at', 'last_used_at'])
      .executeTakeFirst();
    if (!made) throw new StudioError('conflict', 'This passkey is known already');
    // It was just used: the session is as good as one that began with it.
    await tx.updateTable('sessions').set({ method: 'passkey' }).where('id', '=', person.sessionId).execute();
    await writeAudit(tx, auditActorOf(person, input.origin), {
      action: 'passkey_added',
      target: { kind: 'passkey', id: made.id, name: made.name },
    });
    return toPasskeyInfo(made);
  });
}

async function verifiedCredential(db: Database, person: SignedIn, { response, challenge, site }: PasskeyInput) {
  const pending = challenge === null ? null : await consumeChallenge(db.query, 'passkey_add', challenge);
  const passkeyRejected = (cause?: unknown) =>
    new StudioError('invalid_request', 'The passkey was not made for this page, or took too long', {
      reason: 'sign_in_failed',
      cause,
    });
  if (pending?.userId !== person.userId) throw passkeyRejected();
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: pending.data['challenge'] ?? '',
      expectedOrigin: site,
      expectedRPID: rpIdOf(site),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo) return registrationInfo.credential;
  } catch (cause) {
    throw passkeyRejected(cause);
  }
  throw passkeyRejected();
}

/** Names a passkey anew. Errors: `not_found`. */
export async function renamePasskey(
  { db }: DatabaseDeps,
  person: SignedIn,
  { id, name, origin }: { readonly id: string; readonly name: string; readonly origin: CallOrigin },
): Promise<PasskeyInfo> {
  return db.transaction(async (tx) => {
    const before = await tx
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at'])
      .where('id', '=', id)
      .where('user_id', '=', person.userId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noSuchPasskey();
    if (before.name === name) return toPasskeyInfo(before);
    await tx.updateTable('passkeys').set({ name }).where('id', '=', id).execute();
    await writeAudit(tx, auditActorOf(person, origin), {
      action: 'passkey_renamed',
      target: { kind: 'passkey', id, name },
      detail: { from: before.name },
    });
    return toPasskeyInfo({ ...before, name });
  });
}

/** Takes a passkey away. Errors: `forbidden`, `not_found`. */
export async function removePasskey(
  { db, now }: IdentityDeps,
  person: SignedIn,
  id: string,
  origin: CallOrigin,
): Promise<void> {
  requireRecentAuthentication(person, now());
  await db.transaction(async (tx) => {
    const gone = await tx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', person.userId)
      .returning('name')
      .executeTakeFirst();
    if (!gone) throw noSuchPasskey();
    await writeAudit(tx, auditActorOf(person, origin), {
      action: 'passkey_removed',
      target: { kind: 'passkey', id, name: gone.name },
    });
  });
}
