import type { Transaction } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type DatabaseDeps, isUniqueViolation, type Tables } from '../../ports/database.ts';
import { type AuditActor, systemAuditActor } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import { normalizeEmail } from '../email.ts';
import { lockPerson } from './memberships.ts';
import { forgetProvenEmail, proveEmail } from './proven-email.ts';

const emailTaken = (cause?: unknown) =>
  new StudioError('conflict', 'Another account has this address', { param: 'email', reason: 'email_taken', cause });

interface Replacement {
  readonly userId: string;
  readonly email: string;
  /** A session to keep; all others end. */
  readonly keepSession: string | null;
  readonly who: AuditActor;
  /** Where somebody else than the person vouches for the address: a tenant, or `all` that they belong to; null where the person gives it themselves. */
  readonly vouchedIn: TenantId | 'all' | null;
}

/**
 * Gives an account another address: other sessions, sign-ins half way and reset links end, and every tenant of the person
 * has it in its log. Invitations that wait were for the old address, and end. The address that it has is only vouched for. Errors: `conflict` (email_taken).
 */
async function replaceEmail(tx: Transaction<Tables>, input: Replacement): Promise<void> {
  const { userId, keepSession, who, vouchedIn } = input;
  const email = normalizeEmail(input.email);
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  const prove = async () => (vouchedIn === null ? undefined : proveEmail(tx, userId, email, vouchedIn));
  if (user.email === email) return prove();
  const other = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  if (other) throw emailTaken();
  await tx.updateTable('users').set({ email }).where('id', '=', userId).execute();
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', keepSession ?? '')
    .execute();
  await tx.deleteFrom('login_challenges').where('user_id', '=', userId).execute();
  await tx.deleteFrom('one_time_links').where('user_id', '=', userId).where('kind', '=', 'reset').execute();
  await endInvitations(tx, userId, user.email);
  await forgetProvenEmail(tx, userId);
  await prove();
  const rows = await tx.selectFrom('memberships').select('tenant_id').where('user_id', '=', userId).execute();
  for (const tenantId of rows.length === 0 ? [null] : rows.map(({ tenant_id }) => tenant_id))
    await writeAudit(
      tx,
      { ...who, tenantId },
      {
        action: 'email_changed',
        target: { kind: 'user', id: userId, name: email },
        detail: { from: user.email, to: email },
      },
    );
}

async function endInvitations(tx: Transaction<Tables>, userId: string, email: string): Promise<void> {
  const ended = await tx
    .deleteFrom('memberships')
    .where('user_id', '=', userId)
    .where('state', '=', 'invited')
    .returning('tenant_id')
    .execute();
  await tx.deleteFrom('one_time_links').where('user_id', '=', userId).where('kind', '=', 'invite').execute();
  for (const { tenant_id: tenantId } of ended)
    await writeAudit(tx, systemAuditActor(tenantId), {
      action: 'user_removed',
      target: { kind: 'user', id: userId, name: email },
    });
}

/** Replaces the address in a transaction of its own; `authorize` is called first and throws where the change is forbidden. */
export async function changeEmail(
  { db }: DatabaseDeps,
  input: Replacement,
  authorize: (tx: Transaction<Tables>) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await lockPerson(tx, input.userId);
      await authorize(tx);
      await replaceEmail(tx, input);
    });
  } catch (error) {
    // A single sign-on may make an account at the same moment.
    throw isUniqueViolation(error) ? emailTaken(error) : error;
  }
}
