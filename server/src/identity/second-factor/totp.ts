import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { auditActorOf, type CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { requireRecentAuthentication } from '../recent-authentication.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import type { SignedIn } from '../signed-in.ts';
import { generateRecoveryCodes, generateTotpSecret, recoveryHash, totpSetup, totpStep } from './codes.ts';
import { totpPurpose } from './consume-code.ts';

const wrongCode = () =>
  new StudioError('invalid_request', 'The code is wrong, or was used already', { param: 'code', reason: 'wrong_code' });

/** Begins to set an authenticator app up; it is in force after {@link confirmTotp}. Errors: `forbidden`, `conflict`. */
export async function startTotpSetup(
  { db, box, now }: IdentityDeps,
  person: SignedIn,
): Promise<{ secret: string; uri: string; qr_svg: string }> {
  requireRecentAuthentication(person, now());
  const secret = await generateTotpSecret();
  const begun = await db.query
    .updateTable('users')
    .set({ totp_secret: box.seal(secret, totpPurpose(person.userId)), totp_last_step: 0 })
    .where('id', '=', person.userId)
    .where('totp_confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!begun) throw new StudioError('conflict', 'An authenticator app is set up already; remove it first');
  return totpSetup(secret, person.email);
}

/** Puts the app in force once it shows the right code, and gives recovery codes. Errors: `invalid_request`, `forbidden`. */
export async function confirmTotp(
  { db, box, now }: IdentityDeps,
  person: SignedIn,
  code: string,
  origin: CallOrigin,
): Promise<string[]> {
  requireRecentAuthentication(person, now());
  const user = await db.query
    .selectFrom('users')
    .select('totp_secret')
    .where('id', '=', person.userId)
    .where('totp_confirmed_at', 'is', null)
    .executeTakeFirst();
  const secret = user?.totp_secret ?? null;
  const step = secret && (await totpStep(box.open(secret, totpPurpose(person.userId)), code.replace(/\s/g, ''), now()));
  if (secret === null || step === null || step === '') throw wrongCode();
  const codes = generateRecoveryCodes();
  await db.transaction(async (tx) => {
    const on = await tx
      .updateTable('users')
      .set({
        totp_confirmed_at: sql<Date>`now()`,
        totp_last_step: step,
        recovery_code_hashes: codes.map(recoveryHash),
      })
      .where('id', '=', person.userId)
      .where('totp_secret', '=', secret)
      .where('totp_confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!on) throw wrongCode();
    await writeAudit(tx, auditActorOf(person, origin), { action: 'totp_on' });
  });
  return codes;
}

/** Takes the app and the recovery codes away. Errors: `forbidden`. */
export async function removeTotp({ db, now }: IdentityDeps, person: SignedIn, origin: CallOrigin): Promise<void> {
  requireRecentAuthentication(person, now());
  await db.transaction(async (tx) => {
    const before = await tx
      .selectFrom('users')
      .select('totp_confirmed_at')
      .where('id', '=', person.userId)
      .forUpdate()
      .executeTakeFirst();
    await tx
      .updateTable('users')
      .set({ totp_secret: null, totp_confirmed_at: null, recovery_code_hashes: [] })
      .where('id', '=', person.userId)
      .execute();
    if (before?.totp_confirmed_at) await writeAudit(tx, auditActorOf(person, origin), { action: 'totp_off' });
  });
}

/** New recovery codes in place of the old ones. Errors: `forbidden`, `conflict`. */
export async function renewRecoveryCodes(
  { db, now }: IdentityDeps,
  person: SignedIn,
  origin: CallOrigin,
): Promise<string[]> {
  requireRecentAuthentication(person, now());
  const codes = generateRecoveryCodes();
  await db.transaction(async (tx) => {
    const renewed = await tx
      .updateTable('users')
      .set({ recovery_code_hashes: codes.map(recoveryHash) })
      .where('id', '=', person.userId)
      .where('totp_confirmed_at', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!renewed) throw new StudioError('conflict', 'No authenticator app is set up');
    await writeAudit(tx, auditActorOf(person, origin), { action: 'recovery_codes' });
  });
  return codes;
}
