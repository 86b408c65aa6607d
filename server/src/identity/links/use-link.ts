import type { LinkInfo } from '@ai-studio/contract/console/session.ts';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database, Tables } from '../../ports/database.ts';
import type { OneTimeLinksTable, UsersTable } from '../tables.ts';
import { type CallOrigin, actingOf } from '../acting.ts';
import { writeAudit } from '../audit.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { signIn } from '../login/sign-in.ts';
import { refuseWeakPassword } from '../passwords/weak.ts';
import { belongsElsewhere, lockPerson, mayManagePeople } from '../people/places.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import type { SignedIn } from '../signed-in.ts';
import { findLink, linkInvalid, spendLink } from './one-time-links.ts';

const kinds = ['invite', 'reset'] as const;

interface Meant {
  readonly link: Selectable<OneTimeLinksTable>;
  readonly user: Selectable<UsersTable>;
  readonly tenantName: string | null;
  /** Whether the person has nothing yet that proves who they are, or gets a new password. */
  readonly needsPassword: boolean;
}

/** What a link means at this moment. Throws StudioError `not_found`, reason `link_invalid`, for one that holds no more. */
async function meaningOf(tx: Transaction<Tables>, link: Selectable<OneTimeLinksTable>): Promise<Meant> {
  const user = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', link.user_id ?? '')
    // Two uses for one person go one after the other; rows that only refer to the person need not wait.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) throw linkInvalid();
  const { tenant_id: tenantId } = link;
  // Whoever made it and has been removed or given another role since must not get anybody in, or hold of an account.
  if (link.created_by !== null && !(await mayManagePeople(tx, link.created_by, tenantId))) throw linkInvalid();
  const place =
    tenantId &&
    (await tx
      .selectFrom('memberships as m')
      .innerJoin('tenants as t', 't.id', 'm.tenant_id')
      .select(['m.state', 't.name'])
      .where('m.tenant_id', '=', tenantId)
      .where('m.user_id', '=', user.id)
      .executeTakeFirst());
  const tenantName = place ? place.name : null;
  if (link.kind === 'invite') {
    if (!place || place.state !== 'invited') throw linkInvalid();
    return { link, user, tenantName, needsPassword: !(await hasProof(tx, user)) };
  }
  // What an administrator made holds only while the person is theirs alone.
  if (tenantId !== null) {
    const theirs = place && place.state === 'active' && !user.operator;
    if (!theirs || (await belongsElsewhere(tx, user.id, tenantId))) throw linkInvalid();
  }
  return { link, user, tenantName, needsPassword: true };
}

async function hasProof(query: Kysely<Tables>, user: Selectable<UsersTable>): Promise<boolean> {
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

/** What a link is for, before it is used. Errors: `not_found` (link_invalid). */
export function describeLink({ db }: { readonly db: Database }, token: string): Promise<LinkInfo> {
  return db.transaction(async (tx) => {
    const { link, user, tenantName, needsPassword } = await meaningOf(tx, await findLink(tx, token, kinds));
    return {
      kind: link.kind === 'reset' ? ('reset' as const) : ('invite' as const),
      email: user.email,
      name: link.kind === 'invite' && needsPassword ? user.name : null,
      tenant_name: tenantName,
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
 * Sets the password that a link allows to set, and signs in. All sessions of the person end; after a reset, which is for
 * people who have lost what proved who they are, second factors and passkeys are gone too.
 * Errors: `not_found` (link_invalid), `unauthenticated` where the person has an account and must accept as themselves,
 * `invalid_request`.
 */
export async function useLink(deps: IdentityDeps, input: LinkUseInput): Promise<OpenedSession> {
  const { db, passwords } = deps;
  const { token, password, origin, replaces } = input;
  // Looked at before the work of hashing, which strangers must not be able to ask for.
  const known = await db.transaction(async (tx) => meaningOf(tx, await findLink(tx, token, kinds)));
  requirePasswordNeeded(known);
  if (password === undefined)
    throw new StudioError('invalid_request', 'Choose a password', { param: 'password', reason: 'invalid_field' });
  const name = input.name ?? known.user.name;
  refuseWeakPassword(password, { email: known.user.email, name });
  const passwordHash = await passwords.hash(password);
  return db.transaction(async (tx) => {
    await lockPerson(tx, known.user.id);
    const meant = await meaningOf(tx, await spendLink(tx, token, kinds));
    requirePasswordNeeded(meant);
    const { user, link } = meant;
    await setPassword(tx, user.id, { passwordHash, reset: link.kind === 'reset' });
    if (link.kind === 'invite' && link.tenant_id !== null) {
      await tx.updateTable('users').set({ name }).where('id', '=', user.id).execute();
      await join(tx, link.tenant_id, user.id);
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

const requirePasswordNeeded = ({ needsPassword }: Meant) => {
  if (!needsPassword)
    throw new StudioError('unauthenticated', 'Sign in, then accept the invitation', { reason: 'signed_out' });
};

async function setPassword(
  tx: Transaction<Tables>,
  userId: string,
  { passwordHash, reset }: { readonly passwordHash: string; readonly reset: boolean },
): Promise<void> {
  const lost = { totp_secret: null, totp_confirmed_at: null, recovery_code_hashes: [] };
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, ...(reset ? lost : {}) })
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

const join = (tx: Transaction<Tables>, tenantId: TenantId, userId: string) =>
  tx
    .updateTable('memberships')
    .set({ state: 'active' })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();

async function anyTenant(tx: Transaction<Tables>, userId: string): Promise<TenantId | null> {
  const place = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return place?.tenant_id ?? null;
}

/**
 * Joins a tenant with an account that the person has; only the person that is meant can. Their other sessions end: nobody
 * who got into the account before comes along. Errors: `not_found` (link_invalid).
 */
export async function acceptInvitation(
  { db }: { readonly db: Database },
  person: SignedIn,
  token: string,
  origin: CallOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPerson(tx, person.userId);
    const { link, user } = await meaningOf(tx, await spendLink(tx, token, ['invite']));
    const { tenant_id: tenantId } = link;
    if (user.id !== person.userId || tenantId === null) throw linkInvalid();
    await join(tx, tenantId, user.id);
    await tx.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '!=', person.sessionId).execute();
    await tx.deleteFrom('one_time_links').where('user_id', '=', user.id).where('kind', '=', 'reset').execute();
    await tx.updateTable('sessions').set({ tenant_id: tenantId }).where('id', '=', person.sessionId).execute();
    await writeAudit(
      tx,
      { ...actingOf(person, origin), tenantId },
      { action: 'user_joined', target: { kind: 'user', id: user.id, name: user.email } },
    );
  });
}
