import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import { generateToken, tokenHash } from '../tokens.ts';

type Kind = Tables['login_challenges']['kind'];

/** Time limit of the next step. */
export const CHALLENGE_MINUTES = 5;

/** Stores a step of a sign-in for the next one. Resolves with a token for a cookie. */
export async function createChallenge(
  query: Kysely<Tables>,
  kind: Kind,
  userId: string | null,
  data: Readonly<Record<string, string>> = {},
): Promise<string> {
  const token = generateToken();
  await query
    .deleteFrom('login_challenges')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await query
    .insertInto('login_challenges')
    .values({
      sha256: tokenHash(token),
      kind,
      user_id: userId,
      data: JSON.stringify(data),
      expires_at: new Date(Date.now() + CHALLENGE_MINUTES * 60_000),
    })
    .execute();
  return token;
}

interface Challenge {
  readonly userId: string | null;
  readonly data: Readonly<Record<string, string>>;
}

/** Finds the challenge of a token, which stays valid; null where it is unknown or expired. */
export async function findChallenge(query: Kysely<Tables>, kind: Kind, token: string): Promise<Challenge | null> {
  const row = await query
    .selectFrom('login_challenges')
    .select(['user_id', 'data'])
    .where('sha256', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: row.data } : null;
}

/** Consumes the challenge of a token: of several concurrent callers, one gets it. */
export async function consumeChallenge(query: Kysely<Tables>, kind: Kind, token: string): Promise<Challenge | null> {
  const row = await query
    .deleteFrom('login_challenges')
    .where('sha256', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'data'])
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: row.data } : null;
}
