import type { Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import { findLoginTenant } from './login-tenant.ts';

/** The same error for a wrong password, an unknown account and a disabled one. */
export const wrongCredentials = () =>
  new StudioError('unauthenticated', 'The address or the password is wrong', { reason: 'wrong_credentials' });

interface SignIn {
  readonly userId: string;
  readonly method: Tables['sessions']['method'];
  readonly origin: CallOrigin;
  /** Value of the session cookie of the request. */
  readonly replaces: string | null;
  /** Tenant of the session; where left out, the last one of the person. */
  readonly tenantId?: TenantId;
}

/** Opens the session of an authenticated person. Throws StudioError `unauthenticated` where they belong to no tenant. */
export async function signIn(tx: Transaction<Tables>, input: SignIn): Promise<OpenedSession> {
  const user = await tx.selectFrom('users').select(['name', 'email']).where('id', '=', input.userId).executeTakeFirst();
  const loginTenant = user && (input.tenantId ? { tenantId: input.tenantId } : await findLoginTenant(tx, input.userId));
  if (!loginTenant) throw wrongCredentials();
  const { tenantId } = loginTenant;
  const session = await openSession(tx, { ...input, tenantId });
  await writeAudit(
    tx,
    { tenantId, userId: input.userId, name: user.name, origin: input.origin },
    {
      action: 'sign_in',
      target: { kind: 'user', id: input.userId, name: user.email },
      detail: { method: input.method },
    },
  );
  return session;
}

/** Writes a failed sign-in to the audit log of every tenant of the person; once without a tenant for an unknown address. */
export async function auditFailedSignIn(
  tx: Transaction<Tables>,
  { userId, email, origin, step }: { userId: string | null; email: string; origin: CallOrigin; step: string },
): Promise<void> {
  const memberships = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId ?? '')
    .where('state', '!=', 'invited')
    .execute();
  // Anything but an address may be a password in the wrong field.
  const name = /^[^\s@]+@[^\s@]+$/.test(email) ? email : '(no address)';
  for (const tenantId of memberships.length === 0 ? [null] : memberships.map(({ tenant_id }) => tenant_id)) {
    await writeAudit(
      tx,
      { tenantId, userId: null, name, origin },
      { action: 'sign_in_failed', target: { kind: 'user', id: userId, name }, detail: { step } },
    );
  }
}
