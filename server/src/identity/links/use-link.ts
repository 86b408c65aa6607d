import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { LinkInfo } from '@ai-studio/contract/console/session.ts';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables, DatabaseDeps } from '../../ports/database.ts';
import type { OneTimeLinksTable, UsersTable } from '../tables.ts';
import { type CallOrigin, auditActorOf } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { signIn } from '../login/sign-in.ts';
import { requireStrongPassword } from '../passwords/weak.ts';
import { isMemberElsewhere, lockPerson, mayManagePeople } from '../people/memberships.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import type { SignedIn } from '../signed-in.ts';
import { findLink, linkInvalid, consumeLink } from './one-time-links.ts';

const kinds = ['invite', 'reset'] as const;

interface LinkTarget {
  readonly link: Selectable<OneTimeLinksTable>;
  readonly user: Selectable<UsersTable>;
  readonly tenantName: string | null;
  /** Role of the person in the tenant, or that they are invited with. */
  readonly role: Role | null;
  /** Whether the person has no password, passkey or single sign-on yet, or gets a new password. */
  readonly needsPassword: boolean;
}

/** Resolves the person and tenant of a link. Throws StudioError `not_found`, reason `link_invalid`, where it is no longer valid. */
async function resolveLink(tx: Transaction<Tables>, link: Selectable<OneTimeLinksTable>): Promise<LinkTarget> {
  const user = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', link.user_id ?? '')
    // Serialises two uses for one person; rows that only refer to the person need not wait.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) throw linkInvalid();
  const { tenant_id: tenantId } = link;
  // A creator who was removed or has another role by now must not let anybody in, nor get hold of an account.
  if (link.created_by !== null && !(await mayManagePeople(tx, link.created_by, tenantId))) throw linkInvalid();
  const membership =
    tenantId &&
    (await tx
      .selectFrom('memberships as m')
      .innerJoin('tenants as t', 't.id', 'm.tenant_id')
      .select(['m.state', 'm.role', 't.name'])
      .where('m.tenant_id', '=', tenantId)
      .where('m.user_id', '=', user.id)
      .executeTakeFirst());
  const [tenantName, role] = membership ? [membership.name, membership.role] : [null, null];
  if (link.kind === 'invite') {
    if (!membership || membership.state !== 'invited') throw linkInvalid();
    return { link, user, tenantName, role, needsPassword: !(await hasCredential(tx, user)) };
  }
  // A link of an administrator is only valid while the person belongs to no other tenant.
  if (tenantId !== null) {
    const isOwnMember = membership && membership.state === 'active' && !user.operator;
    if (!isOwnMember || (await isMemberElsewhere(tx, user.id, tenantId))) throw linkInvalid();
  }
  return { link, user, tenantName, role, needsPassword: true };
}

async function hasCredential(query: Kysely<Tables>, user: Selectable<UsersTable>): Promise<boolean> {
  if (user.password_hash !== null) return true;
  for (const table of ['passkeys', 'sso_accounts'] as const) {
    const found = await query
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', user.id)
      .limit(1)
      .executeTakeFirst();
    if (found) return true;
  }
  return false;
}

/** Describes a link before it is used. Errors: `not_found` (link_invalid). */
export function describeLink({ db }: DatabaseDeps, token: string): Promise<LinkInfo> {
  return db.transaction(async (tx) => {
    const { link, user, tenantName, role, needsPassword } = await resolveLink(tx, await findLink(tx, token, kinds));
    const invites = link.kind === 'invite';
    const inviter =
      invites && link.created_by !== null
        ? await tx.selectFrom('users').select('name').where('id', '=', link.created_by).executeTakeFirst()
        : undefined;
    return {
      kind: link.kind === 'reset' ? ('reset' as const) : ('invite' as const),
      email: user.email,
      name: invites && needsPassword ? user.name : null,
      tenant_name: tenantName,
      invited_by: inviter?.name ?? null,
      role: invites ? role : null,
      needs_password: needsPassword,
      expires_at: link.expires_at.toISOString(),
    };
  });
}

export interface LinkUseInput {
  readonly token: string;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

/**
 * Sets the password of the person of a link, and signs in. All sessions of the person end; after a reset, which is for
 * people who have lost their credentials, second factors and passkeys are removed too.
 * Errors: `not_found` (link_invalid), `unauthenticated` where the person has an account and must accept as themselves,
 * `invalid_request`.
 */
export async function useLink(deps: IdentityDeps, input: LinkUseInput): Promise<OpenedSession> {
  const { db, passwords } = deps;
  const { token, password, origin, replaces } = input;
  // Checks the link before hashing, which strangers must not be able to cause.
  const preview = await db.transaction(async (tx) => resolveLink(tx, await findLink(tx, token, kinds)));
  requirePasswordNeeded(preview);
  if (password === undefined)
    throw new StudioError('invalid_request', 'Choose a password', { param: 'password', reason: 'invalid_field' });
  const name = input.name ?? preview.user.name;
  requireStrongPassword(password, { email: preview.user.email, name });
  const passwordHash = await passwords.hash(password);
  return db.transaction(async (tx) => {
    await lockPerson(tx, preview.user.id);
    const target = await resolveLink(tx, await consumeLink(tx, token, kinds));
    requirePasswordNeeded(target);
    const { user, link } = target;
    await setPassword(tx, user.id, { passwordHash, reset: link.kind === 'reset' });
    if (link.kind === 'invite' && link.tenant_id !== null) {
      await tx.updateTable('users').set({ name }).where('id', '=', user.id).execute();
      await activateMembership(tx, link.tenant_id, user.id);
    }
    const who = { tenantId: link.tenant_id ?? (await anyTenant(tx, user.id)), userId: user.id, name, origin };
    await writeAudit(tx, who, {
      action: link.kind === 'invite' ? 'user_joined' : 'password_reset',
      target: { kind: 'user', id: user.id, name: user.email },
    });
    const tenant = link.tenant_id === null ? {} : { tenantId: link.tenant_id };
    return signIn(tx, { userId: user.id, method: 'link', origin, replaces, ...tenant });
  });
}

const requirePasswordNeeded = ({ needsPassword }: LinkTarget) => {
  if (!needsPassword)
    throw new StudioError('unauthenticated', 'Sign in, then accept the invitation', { reason: 'signed_out' });
};

async function setPassword(
  tx: Transaction<Tables>,
  userId: string,
  { passwordHash, reset }: { readonly passwordHash: string; readonly reset: boolean },
): Promise<void> {
  const clearedCredentials = { totp_secret: null, totp_confirmed_at: null, recovery_code_hashes: [] };
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, ...(reset ? clearedCredentials : {}) })
    .where('id', '=', userId)
    .execute();
  if (reset) {
    await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
    await tx
      .deleteFrom('one_time_links')
      .where('user_id', '=', userId)
      .where('kind', '=', 'reset')
      .where('used_at', 'is', null)
      .execute();
  }
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await tx.deleteFrom('login_challenges').where('user_id', '=', userId).execute();
}

const activateMembership = (tx: Transaction<Tables>, tenantId: TenantId, userId: string) =>
  tx
    .updateTable('memberships')
    .set({ state: 'active' })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();

async function anyTenant(tx: Transaction<Tables>, userId: string): Promise<TenantId | null> {
  const membership = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return membership?.tenant_id ?? null;
}

/**
 * Joins a tenant with an existing account; only the invited person can. Their other sessions end, so that nobody
 * who got into the account before joins too. Errors: `not_found` (link_invalid).
 */
export async function acceptInvitation(
  { db }: DatabaseDeps,
  person: SignedIn,
  token: string,
  origin: CallOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPerson(tx, person.userId);
    const { link, user } = await resolveLink(tx, await consumeLink(tx, token, ['invite']));
    const { tenant_id: tenantId } = link;
    if (user.id !== person.userId || tenantId === null) throw linkInvalid();
    await activateMembership(tx, tenantId, user.id);
    await tx.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '!=', person.sessionId).execute();
    await tx.deleteFrom('one_time_links').where('user_id', '=', user.id).where('kind', '=', 'reset').execute();
    await tx.updateTable('sessions').set({ tenant_id: tenantId }).where('id', '=', person.sessionId).execute();
    await writeAudit(
      tx,
      { ...auditActorOf(person, origin), tenantId },
      { action: 'user_joined', target: { kind: 'user', id: user.id, name: user.email } },
    );
  });
}
