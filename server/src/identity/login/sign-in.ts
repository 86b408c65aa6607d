import type { Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { CallOrigin } from '../acting.ts';
import { writeAudit } from '../audit.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import { landingOf } from './standing.ts';

/** The one answer to a wrong password, an unknown account and one that may not be used. */
export const wrongCredentials = () =>
  new StudioError('unauthenticated', 'The address or the password is wrong', { reason: 'wrong_credentials' });

interface SignIn {
  readonly userId: string;
  readonly method: Tables['sessions']['method'];
  readonly origin: CallOrigin;
  /** Value of the session cookie that the browser came with. */
  readonly replaces: string | null;
  /** Where the sign-in leads, when it is known; else where the person was last. */
  readonly tenantId?: TenantId;
}

/** Opens the session of a person who has proved who they are. Throws StudioError `unauthenticated` where they may be nowhere. */
export async function signIn(tx: Transaction<Tables>, input: SignIn): Promise<OpenedSession> {
  const user = await tx.selectFrom('users').select(['name', 'email']).where('id', '=', input.userId).executeTakeFirst();
  const landing = user && (input.tenantId ? { tenantId: input.tenantId } : await landingOf(tx, input.userId));
  if (!landing) throw wrongCredentials();
  const { tenantId } = landing;
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

/** Writes down that somebody could not sign in, for every tenant of the person; once without one for an unknown address. */
export async function noteFailedSignIn(
  tx: Transaction<Tables>,
  { userId, email, origin, step }: { userId: string | null; email: string; origin: CallOrigin; step: string },
): Promise<void> {
  const places = await tx
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId ?? '')
    .where('state', '!=', 'invited')
    .execute();
  // What is no address may be a password in the wrong field.
  const name = /^[^\s@]+@[^\s@]+$/.test(email) ? email : '(no address)';
  for (const tenantId of places.length === 0 ? [null] : places.map(({ tenant_id }) => tenant_id)) {
    await writeAudit(
      tx,
      { tenantId, userId: null, name, origin },
      { action: 'sign_in_failed', target: { kind: 'user', id: userId, name }, detail: { step } },
    );
  }
}
