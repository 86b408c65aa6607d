import type { Role } from '@ai-studio/contract/console/roles.ts';
import { Email } from '@ai-studio/contract/console/session.ts';
import type { Transaction } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { DatabaseDeps, Tables } from '../../ports/database.ts';
import type { ExternalIdentity, SingleSignOn } from '../../ports/single-sign-on.ts';
import type { CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { normalizeEmail } from '../email.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { proveEmail } from '../people/proven-email.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { createChallenge, consumeChallenge } from './challenge.ts';
import { signIn } from './sign-in.ts';

/** Dependencies of single sign-on, as configured. */
export interface SsoDeps extends IdentityDeps, PersonLinkDeps {
  readonly provider: SingleSignOn;
}

/** What is needed to know whom an external identity names here. */
export interface PersonLinkDeps extends DatabaseDeps {
  /** Domains of addresses for which the first sign-in creates an account. */
  readonly allowedDomains: readonly string[];
  readonly defaultRole: Role;
}

const signInFailed = (message: string) => new StudioError('unauthenticated', message, { reason: 'sign_in_failed' });

/** Starts a sign-in: the address for the browser, and the token of the challenge. Errors: `unavailable`. */
export async function startSso(
  { db, provider }: SsoDeps,
  redirectUri: string,
): Promise<{ readonly url: string; readonly challenge: string }> {
  const { url, secrets } = await provider.begin(redirectUri);
  return { url, challenge: await createChallenge(db.query, 'sso', null, secrets) };
}

interface SsoCallback {
  readonly redirectUri: string;
  /** The query with which the browser returned. */
  readonly query: string;
  readonly challenge: string | null;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

/**
 * Signs in the person that the external service identifies: with the linked account, else the account of the verified address, else a
 * new one where the domain is allowed. Errors: `unauthenticated` (sign_in_failed), `unavailable`.
 */
export async function finishSso(deps: SsoDeps, input: SsoCallback): Promise<OpenedSession> {
  const { db, provider } = deps;
  const { challenge, origin, replaces } = input;
  const pending = challenge === null ? null : await consumeChallenge(db.query, 'sso', challenge);
  if (!pending) throw signInFailed('The sign-in took too long; begin again');
  const identity = await provider.finish(input.redirectUri, input.query, pending.data);
  return db.transaction(async (tx) => {
    const userId = await findOrCreateUser(tx, { ...deps, joinsAccounts: true }, identity, origin);
    return signIn(tx, { userId, method: 'sso', origin, replaces });
  });
}

/**
 * The person whom a checked token of the external service names, found as a sign-in finds them; but an account that was there before is
 * joined by a sign-in alone, as that removes its other credentials: a call of a program must not. Errors: `unauthenticated`
 * (sign_in_failed).
 */
export const userOfIdentity = (deps: PersonLinkDeps, identity: ExternalIdentity, origin: CallOrigin): Promise<string> =>
  deps.db.transaction((tx) => findOrCreateUser(tx, { ...deps, joinsAccounts: false }, identity, origin));

async function findOrCreateUser(
  tx: Transaction<Tables>,
  deps: PersonLinkDeps & { readonly joinsAccounts: boolean },
  identity: ExternalIdentity,
  origin: CallOrigin,
): Promise<string> {
  const { issuer, subject } = identity;
  const account = await tx
    .selectFrom('sso_accounts')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  const email = Email.safeParse(normalizeEmail(identity.verifiedEmail ?? ''));
  const vouch = async (userId: string) => {
    if (email.success && deps.joinsAccounts) await proveEmail(tx, userId, email.data, 'all');
    return userId;
  };
  if (account) return vouch(account.user_id);
  if (!email.success) throw signInFailed('The single sign-on does not say that your address is verified');
  const existing = await tx.selectFrom('users').select('id').where('email', '=', email.data).executeTakeFirst();
  if (existing && !deps.joinsAccounts)
    throw signInFailed('Your account here was not used with the single sign-on yet; ask an administrator');
  const userId = existing?.id ?? (await createUser(tx, deps, { email: email.data, name: identity.name, origin }));
  // The same person may sign in twice concurrently.
  const linked = await tx
    .insertInto('sso_accounts')
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (existing && linked) await removeOlderCredentials(tx, userId, { email: email.data, identity, origin });
  return vouch(userId);
}

/**
 * Removes the credentials of an existing account when the owner of its address signs in for the first time: passwords, passkeys and
 * other identities. Somebody else may have created the account: an administrator could invite the address and use the link, and
 * people can change their addresses.
 */
async function removeOlderCredentials(
  tx: Transaction<Tables>,
  userId: string,
  {
    email,
    identity,
    origin,
  }: { readonly email: string; readonly identity: ExternalIdentity; readonly origin: CallOrigin },
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
    .where((eb) => eb.or([eb('issuer', '!=', identity.issuer), eb('subject', '!=', identity.subject)]))
    .execute();
  const tenants = await tx.selectFrom('memberships').select('tenant_id').where('user_id', '=', userId).execute();
  for (const { tenant_id: tenantId } of tenants)
    await writeAudit(
      tx,
      { tenantId, userId, name, origin },
      { action: 'sso_joined', target: { kind: 'user', id: userId, name: email } },
    );
}

async function createUser(
  tx: Transaction<Tables>,
  { allowedDomains, defaultRole }: PersonLinkDeps,
  person: { readonly email: string; readonly name: string | null; readonly origin: CallOrigin },
): Promise<string> {
  const { email, origin } = person;
  const [local = email, domain = ''] = email.split('@');
  if (!allowedDomains.some((allowed) => allowed.toLowerCase() === domain))
    throw signInFailed('Nobody here has your address; ask for an invitation');
  // The first person is created with the set-up link.
  const tenant = await tx
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.id', 'memberships.tenant_id')
    .select('tenants.id')
    .orderBy('tenants.created_at')
    .orderBy('tenants.id')
    .limit(1)
    .executeTakeFirst();
  if (!tenant) throw signInFailed('This installation has not been set up yet');
  const name = person.name ?? local;
  const inserted = await tx
    .insertInto('users')
    .values({ id: hexId(), email, name })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted)
    return (await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
  const userId = inserted.id;
  await tx
    .insertInto('memberships')
    .values({
      tenant_id: tenant.id,
      user_id: userId,
      role: defaultRole,
      state: 'active',
      name,
      proven_email: email,
    })
    .execute();
  await writeAudit(
    tx,
    { tenantId: tenant.id, userId, name, origin },
    { action: 'user_joined', target: { kind: 'user', id: userId, name: email }, detail: { role: defaultRole } },
  );
  return userId;
}
