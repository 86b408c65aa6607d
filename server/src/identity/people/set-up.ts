import { sql, type Kysely, type Transaction } from 'kysely';
import type { Language } from '@ai-studio/contract/console/session.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Tables, Queryable, DatabaseDeps } from '../../ports/database.ts';
import { type CallOrigin, type AuditActor, systemAuditActor } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { ensureDefaultTenant } from '../default-tenant.ts';
import { normalizeEmail } from '../email.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { findLink, createLink, type IssuedLink, consumeLink } from '../links/one-time-links.ts';
import { signIn } from '../login/sign-in.ts';
import { requireStrongPassword } from '../passwords/weak.ts';
import type { OpenedSession } from '../sessions/open-session.ts';

/** Number of the advisory lock that lets one caller make the first person. */
const LOCK = 7_203_316_503;

/** Whether nobody has an account yet. */
export async function setupNeeded({ query }: Queryable): Promise<boolean> {
  return (await query.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

const requireNoUsers = async (query: Kysely<Tables>) => {
  if (!(await setupNeeded({ query })))
    throw new StudioError('conflict', 'This installation has been set up already', { reason: 'setup_done' });
};

/** A link with which the first administrator makes their account; null when there is an account. */
export async function createSetupLink({ db }: DatabaseDeps): Promise<IssuedLink | null> {
  if (!(await setupNeeded(db))) return null;
  return createLink(db.query, { kind: 'setup', userId: null, tenantId: null, createdBy: null });
}

export interface SetupInput {
  readonly token: string;
  readonly organisation: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly language?: Language | undefined;
  readonly origin: CallOrigin;
  readonly replaces: string | null;
}

/**
 * Makes the first person: administrator of the first tenant and operator of the platform.
 * Errors: `conflict` (setup_done), `not_found` (link_invalid), `invalid_request` (password_weak).
 */
export async function setUpInstallation(deps: IdentityDeps, input: SetupInput): Promise<OpenedSession> {
  const { db, passwords } = deps;
  await requireNoUsers(db.query);
  // Checked before hashing, which strangers must not be able to cause.
  try {
    await findLink(db.query, input.token, ['setup']);
  } catch (error) {
    // A concurrent set-up consumes the link as well: report the set-up rather than an invalid link.
    await requireNoUsers(db.query);
    throw error;
  }
  requireStrongPassword(input.password, input);
  const passwordHash = await passwords.hash(input.password);
  await ensureDefaultTenant(deps);
  return db.transaction(async (tx) => {
    const userId = await createFirstUser(tx, { ...input, passwordHash, origin: input.origin });
    await consumeLink(tx, input.token, ['setup']);
    return signIn(tx, { userId, method: 'link', origin: input.origin, replaces: input.replaces });
  });
}

/** The same for automation, where there is no account yet. Resolves with whether it created one. Errors: `invalid_request`. */
export async function createFirstAdministrator(
  deps: IdentityDeps,
  input: { readonly email: string; readonly password: string; readonly name?: string },
): Promise<boolean> {
  if (!(await setupNeeded(deps.db))) return false;
  const email = normalizeEmail(input.email);
  const name = input.name ?? email.split('@')[0] ?? email;
  requireStrongPassword(input.password, { email, name });
  const passwordHash = await deps.passwords.hash(input.password);
  await ensureDefaultTenant(deps);
  try {
    await deps.db.transaction((tx) =>
      createFirstUser(tx, { email, name, passwordHash, organisation: null, origin: null }),
    );
    return true;
  } catch (error) {
    // Another process has created the account meanwhile.
    if (error instanceof StudioError && error.reason === 'setup_done') return false;
    throw error;
  }
}

/** Serialises the creation of the first account. */
export const lockSetup = (tx: Transaction<Tables>) => sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx);

interface FirstUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly organisation: string | null;
  readonly language?: Language | undefined;
  readonly origin: CallOrigin | null;
}

async function createFirstUser(tx: Transaction<Tables>, first: FirstUser): Promise<string> {
  await lockSetup(tx);
  await requireNoUsers(tx);
  const tenant = await tx
    .selectFrom('tenants')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  if (first.organisation !== null)
    await tx.updateTable('tenants').set({ name: first.organisation }).where('id', '=', tenant.id).execute();
  const userId = hexId();
  const email = normalizeEmail(first.email);
  await tx
    .insertInto('users')
    .values({
      id: userId,
      email,
      name: first.name,
      language: first.language ?? null,
      password_hash: first.passwordHash,
      operator: true,
    })
    .execute();
  await tx
    .insertInto('memberships')
    .values({
      tenant_id: tenant.id,
      user_id: userId,
      role: 'administrator',
      state: 'active',
      name: first.name,
      proven_email: email,
    })
    .execute();
  const who: AuditActor =
    first.origin === null
      ? systemAuditActor(tenant.id)
      : { tenantId: tenant.id, userId, name: first.name, origin: first.origin };
  await writeAudit(tx, who, { action: 'setup', target: { kind: 'user', id: userId, name: email } });
  return userId;
}
