import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Queryable, DatabaseDeps } from '../../ports/database.ts';
import { systemAuditActor } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { ensureDefaultTenant } from '../default-tenant.ts';
import { normalizeEmail } from '../email.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { createLink, type IssuedLink } from '../links/one-time-links.ts';
import { requireStrongPassword } from '../passwords/weak.ts';
import { invite } from './invite.ts';
import { lockPeople } from './memberships.ts';
import { changeEmail } from './replace-email.ts';
import { createFirstAdministrator, lockSetup, setupNeeded } from './set-up.ts';

// Administration from the command line: it needs access to the machine, not an account.

interface NewPersonInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null invites the person, who then chooses one. */
  readonly password: string | null;
  /** Id or name of the tenant; null is the first one. */
  readonly tenant: string | null;
}

/**
 * Creates a person of a tenant, or invites one; the first of all becomes operator of the platform. Resolves with the link of an
 * invitation. Errors: `not_found` (tenant), `conflict` (already_member, email_taken; a name that several tenants have),
 * `invalid_request`.
 */
export async function createPerson(deps: IdentityDeps, input: NewPersonInput): Promise<IssuedLink | null> {
  const { db, passwords } = deps;
  const { name, role, password } = input;
  const email = normalizeEmail(input.email);
  const tenantId = await tenantOf(deps, input.tenant);
  if (password !== null) requireStrongPassword(password, { email, name });
  if (await setupNeeded(db)) {
    if (role !== 'administrator')
      throw new StudioError('conflict', 'The first person must be an administrator (--role=administrator).');
    if (password !== null && input.tenant === null && (await createFirstAdministrator(deps, { email, name, password })))
      return null;
  }
  const passwordHash = password === null ? null : await passwords.hash(password);
  return db.transaction(async (tx) => {
    await lockSetup(tx);
    const first = await setupNeeded({ query: tx });
    const known = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (known && passwordHash !== null)
      throw new StudioError('conflict', 'This address has an account; without a password the person is invited.', {
        reason: 'email_taken',
      });
    const { userId, link } = await invite(tx, systemAuditActor(tenantId), { email, name, role });
    if (first) await tx.updateTable('users').set({ operator: true }).where('id', '=', userId).execute();
    if (passwordHash === null) return link;
    await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
    await tx
      .updateTable('memberships')
      .set({ state: 'active' })
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .execute();
    await tx.deleteFrom('one_time_links').where('user_id', '=', userId).execute();
    return null;
  });
}

/** The tenant of an id or of a name, in any case; the first one for null. Errors: `not_found`, `conflict`. */
async function tenantOf(deps: IdentityDeps, wanted: string | null): Promise<TenantId> {
  if (wanted === null) return ensureDefaultTenant(deps);
  const tenants = await deps.db.query.selectFrom('tenants').select(['id', 'name']).orderBy('created_at').execute();
  const byId = tenants.find(({ id }) => id === wanted);
  if (byId) return byId.id;
  const plain = (name: string) => name.trim().normalize('NFC').toLowerCase();
  const named = tenants.filter(({ name }) => plain(name) === plain(wanted));
  const [found] = named;
  if (!found) {
    const known = tenants.map(({ name }) => name).join(', ');
    throw new StudioError('not_found', `There is no tenant ${wanted}. There are: ${known}`);
  }
  if (named.length > 1)
    throw new StudioError(
      'conflict',
      `Several tenants have the name ${wanted}; give the id: ${named.map(({ id }) => id).join(', ')}`,
    );
  return found.id;
}

/** Gives somebody another address, whatever they belong to; their sessions end. Errors: `not_found`, `conflict` (email_taken). */
export async function setEmail({ db }: DatabaseDeps, from: string, to: string): Promise<void> {
  const user = await db.query
    .selectFrom('users')
    .select('id')
    .where('email', '=', normalizeEmail(from))
    .executeTakeFirst();
  if (!user) throw new StudioError('not_found', `Nobody has the address ${normalizeEmail(from)}.`);
  await changeEmail(
    { db },
    { userId: user.id, email: to, keepSession: null, who: systemAuditActor(null), vouchedIn: 'all' },
  );
}

/** A link with which a person chooses a new password, whatever they belong to. Errors: `not_found`. */
export async function createResetLink({ db }: DatabaseDeps, email: string): Promise<IssuedLink> {
  return db.transaction(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', normalizeEmail(email))
      .executeTakeFirst();
    if (!user) throw new StudioError('not_found', `Nobody has the address ${normalizeEmail(email)}.`);
    const joined = await tx
      .selectFrom('memberships')
      .select('tenant_id')
      .where('user_id', '=', user.id)
      .where('state', '!=', 'invited')
      .execute();
    for (const tenantId of joined.length === 0 ? [null] : joined.map(({ tenant_id }) => tenant_id))
      await writeAudit(tx, systemAuditActor(tenantId), {
        action: 'password_reset_link',
        target: { kind: 'user', id: user.id, name: user.email },
      });
    return createLink(tx, { kind: 'reset', userId: user.id, tenantId: null, createdBy: null });
  });
}

/**
 * Gives somebody the rights of a platform operator, or takes them away with the person's sessions; there is always one.
 * Errors: `not_found`, `conflict` for the last one.
 */
export async function setOperator({ db }: DatabaseDeps, email: string, operator: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPeople(tx);
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'operator'])
      .where('email', '=', normalizeEmail(email))
      .executeTakeFirst();
    if (!user) throw new StudioError('not_found', `Nobody has the address ${normalizeEmail(email)}.`);
    if (user.operator === operator) return;
    if (!operator) {
      const other = await tx
        .selectFrom('users')
        .select('id')
        .where('operator', '=', true)
        .where('id', '!=', user.id)
        .executeTakeFirst();
      if (!other)
        throw new StudioError('conflict', 'The last operator must stay one; give the rights to somebody else first.');
      await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    }
    await tx.updateTable('users').set({ operator }).where('id', '=', user.id).execute();
    const rows = await tx.selectFrom('memberships').select('tenant_id').where('user_id', '=', user.id).execute();
    for (const tenantId of rows.length === 0 ? [null] : rows.map(({ tenant_id }) => tenant_id))
      await writeAudit(tx, systemAuditActor(tenantId), {
        action: 'user_role_changed',
        target: { kind: 'user', id: user.id, name: user.email },
        detail: { operator },
      });
  });
}

/** A membership with its person, for the command line. */
export interface MembershipSummary {
  readonly email: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: Role;
  readonly state: 'active' | 'invited' | 'disabled';
  readonly operator: boolean;
}

/** All memberships of the installation, by tenant. */
export const listMemberships = ({ query }: Queryable): Promise<MembershipSummary[]> =>
  query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .select(['u.email', 'u.name', 't.name as tenant', 'm.role', 'm.state', 'u.operator'])
    .orderBy('t.created_at')
    .orderBy('t.id')
    .orderBy('u.email')
    .execute();
