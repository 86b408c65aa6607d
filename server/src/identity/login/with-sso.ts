import type { Role } from '@ai-studio/contract/console/roles.ts';
import { Email } from '@ai-studio/contract/console/session.ts';
import type { Transaction } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Tables } from '../../ports/database.ts';
import type { ForeignIdentity, SingleSignOn } from '../../ports/single-sign-on.ts';
import type { CallOrigin } from '../acting.ts';
import { writeAudit } from '../audit.ts';
import { plainEmail } from '../email.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { makeChallenge, takeChallenge } from './challenge.ts';
import { signIn } from './sign-in.ts';

/** Single sign-on as it is configured. */
export interface SsoDeps extends IdentityDeps {
  readonly provider: SingleSignOn;
  /** Domains of addresses for which an account is made at the first sign-in. */
  readonly allowedDomains: readonly string[];
  readonly defaultRole: Role;
}

const refused = (message: string) => new StudioError('unauthenticated', message, { reason: 'sign_in_failed' });

/** Where the browser goes, and the token of the challenge. Errors: `unavailable`. */
export async function beginSso(
  { db, provider }: SsoDeps,
  redirectUri: string,
): Promise<{ readonly url: string; readonly challenge: string }> {
  const { url, secrets: kept } = await provider.begin(redirectUri);
  return { url, challenge: await makeChallenge(db.query, 'sso', null, kept) };
}

interface SsoAnswer {
  readonly redirectUri: string;
  /** What the browser came back with. */
  readonly query: string;
  readonly challenge: string | null;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

/**
 * Signs in whom the other service names: its account when it was here before, else the account of the address that it has
 * verified, else a new one where the domain is allowed. Errors: `unauthenticated` (sign_in_failed), `unavailable`.
 */
export async function finishSso(deps: SsoDeps, input: SsoAnswer): Promise<OpenedSession> {
  const { db, provider } = deps;
  const { challenge, origin, replaces } = input;
  const waiting = challenge === null ? null : await takeChallenge(db.query, 'sso', challenge);
  if (!waiting) throw refused('The sign-in took too long; begin again');
  const who = await provider.finish(input.redirectUri, input.query, waiting.data);
  return db.transaction(async (tx) => {
    const userId = await userOf(tx, deps, who, origin);
    return signIn(tx, { userId, method: 'sso', origin, replaces });
  });
}

async function userOf(
  tx: Transaction<Tables>,
  deps: SsoDeps,
  who: ForeignIdentity,
  origin: CallOrigin,
): Promise<string> {
  const { issuer, subject } = who;
  const account = await tx
    .selectFrom('sso_accounts')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (account) return account.user_id;
  const email = Email.safeParse(plainEmail(who.verifiedEmail ?? ''));
  if (!email.success) throw refused('The single sign-on does not say that your address is verified');
  const known = await tx.selectFrom('users').select('id').where('email', '=', email.data).executeTakeFirst();
  const userId = known?.id ?? (await makeUser(tx, deps, { email: email.data, name: who.name, origin }));
  // Somebody may come twice at the same moment.
  const joined = await tx
    .insertInto('sso_accounts')
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (known && joined) await dropOlderProofs(tx, userId, { email: email.data, who, origin });
  return userId;
}

/**
 * An account that was here before may have been made by somebody who does not own the address: an administrator could invite it
 * and use the link, and people give themselves other addresses. Now its owner has come, so whatever opened it until now opens
 * it no more: neither passwords nor other identities of single sign-on.
 */
async function dropOlderProofs(
  tx: Transaction<Tables>,
  userId: string,
  { email, who, origin }: { readonly email: string; readonly who: ForeignIdentity; readonly origin: CallOrigin },
): Promise<void> {
  const { name } = await tx
    .updateTable('users')
    .set({ password_hash: null, totp_secret: null, totp_confirmed_at: null, recovery_code_hashes: [] })
    .where('id', '=', userId)
    .returning('name')
    .executeTakeFirstOrThrow();
  for (const table of ['passkeys', 'sessions', 'one_time_links'] as const)
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  await tx
    .deleteFrom('sso_accounts')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('issuer', '!=', who.issuer), eb('subject', '!=', who.subject)]))
    .execute();
  const tenants = await tx.selectFrom('memberships').select('tenant_id').where('user_id', '=', userId).execute();
  for (const { tenant_id: tenantId } of tenants)
    await writeAudit(
      tx,
      { tenantId, userId, name, origin },
      { action: 'sso_joined', target: { kind: 'user', id: userId, name: email } },
    );
}

async function makeUser(
  tx: Transaction<Tables>,
  { allowedDomains, defaultRole }: SsoDeps,
  person: { readonly email: string; readonly name: string | null; readonly origin: CallOrigin },
): Promise<string> {
  const { email, origin } = person;
  const [local = email, domain = ''] = email.split('@');
  if (!allowedDomains.some((allowed) => allowed.toLowerCase() === domain))
    throw refused('Nobody here has your address; ask for an invitation');
  // The first person is made with the set-up link.
  const tenant = await tx
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.id', 'memberships.tenant_id')
    .select('tenants.id')
    .orderBy('tenants.created_at')
    .orderBy('tenants.id')
    .limit(1)
    .executeTakeFirst();
  if (!tenant) throw refused('This installation has not been set up yet');
  const name = person.name ?? local;
  const made = await tx
    .insertInto('users')
    .values({ id: hexId(), email, name })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return (await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
  const userId = made.id;
  await tx
    .insertInto('memberships')
    .values({ tenant_id: tenant.id, user_id: userId, role: defaultRole, state: 'active', name })
    .execute();
  await writeAudit(
    tx,
    { tenantId: tenant.id, userId, name, origin },
    { action: 'user_joined', target: { kind: 'user', id: userId, name: email }, detail: { role: defaultRole } },
  );
  return userId;
}
