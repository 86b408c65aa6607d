import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { recoveryHash, totpStep } from './codes.ts';

/** What the secret of a person's app is sealed for. */
export const totpPurpose = (userId: string): string => `users.totp:${userId}`;

/** Takes a code of the app or a recovery code, each at most once. Answers which it was; null for a wrong or used one. */
export async function consumeCode(
  { box, now }: IdentityDeps,
  query: Kysely<Tables>,
  userId: string,
  typed: string,
): Promise<'app' | 'recovery' | null> {
  const code = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return (await consumeRecoveryCode(query, userId, code)) ? 'recovery' : null;
  const user = await query
    .selectFrom('users')
    .select('totp_secret')
    .where('id', '=', userId)
    .where('totp_confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (!user?.totp_secret) return null;
  const step = await totpStep(box.open(user.totp_secret, totpPurpose(userId)), code, now());
  if (step === null) return null;
  const spent = await query
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    // A code that was looked at over a shoulder is of no use, nor is an older one.
    .where('totp_last_step', '<', step)
    .returning('id')
    .executeTakeFirst();
  return spent ? 'app' : null;
}

async function consumeRecoveryCode(query: Kysely<Tables>, userId: string, code: string): Promise<boolean> {
  const hash = recoveryHash(code);
  const spent = await query
    .updateTable('users')
    .set({ recovery_code_hashes: sql<string[]>`array_remove(recovery_code_hashes, ${hash})` })
    .where('id', '=', userId)
    .where(sql<boolean>`${hash} = ANY (recovery_code_hashes)`)
    .returning('id')
    .executeTakeFirst();
  return spent !== undefined;
}
