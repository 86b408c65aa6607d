import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { textHash } from '../tokens.ts';

const PURPOSE = 'known-device';
const LIFETIME_DAYS = 180;
const DAY_MS = 86_400_000;
/** User id, time of issue (seconds, base 36), device id, and the signature. */
const TOKEN = /^([0-9a-f]{32})-([0-9a-z]{1,10})-([0-9a-f]{32})-([A-Za-z0-9_-]{43})$/;

/** Whose devices are known. */
interface Account {
  readonly id: string;
  readonly password_hash: string | null;
}

/** With another password all devices are unknown again. */
const signature = (box: SecretBox, user: Account, made: string, id: string): Buffer =>
  box.mac(`${user.id}:${made}:${id}:${textHash(user.password_hash ?? '')}`, PURPOSE);

/**
 * Creates a signed cookie value that says that a browser has signed in to this account before: wrong guesses of
 * others do not block it. It grants no access. Null where the account was removed meanwhile.
 */
export async function issueKnownDevice(
  { db, box, now }: Pick<IdentityDeps, 'db' | 'box' | 'now'>,
  userId: string,
): Promise<{ readonly token: string; readonly seconds: number } | null> {
  const user = await db.query
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return null;
  const issuedAt = Math.floor(now() / 1000).toString(36);
  const id = randomBytes(16).toString('hex');
  const token = `${userId}-${issuedAt}-${id}-${signature(box, user, issuedAt, id).toString('base64url')}`;
  return { token, seconds: (LIFETIME_DAYS * DAY_MS) / 1000 };
}

/** The id of a known device where the cookie is valid for this account; else null. */
export function verifyKnownDevice(
  { box, now }: Pick<IdentityDeps, 'box' | 'now'>,
  token: string | null,
  user: Account | undefined,
): string | null {
  const [, userId, issuedAt = '', id = '', signed = ''] = TOKEN.exec(token ?? '') ?? [];
  if (user === undefined || userId !== user.id) return null;
  if (now() - Number.parseInt(issuedAt, 36) * 1000 > LIFETIME_DAYS * DAY_MS) return null;
  const actual = Buffer.from(signed, 'base64url');
  const expected = signature(box, user, issuedAt, id);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? `device:${id}` : null;
}
