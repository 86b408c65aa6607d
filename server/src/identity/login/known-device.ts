import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { textHash } from '../tokens.ts';

const PURPOSE = 'known-device';
const DAYS = 180;
const DAY_MS = 86_400_000;
/** Whose, when it was made (seconds, base 36), what sets it apart, and the signature. */
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
 * Value of a cookie that says, under our signature, that its browser has signed in to this account: wrong guesses of
 * others do not pause it. It opens nothing. Null where the account was removed meanwhile.
 */
export async function makeKnownDevice(
  { db, box, now }: Pick<IdentityDeps, 'db' | 'box' | 'now'>,
  userId: string,
): Promise<{ readonly token: string; readonly seconds: number } | null> {
  const user = await db.query
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return null;
  const made = Math.floor(now() / 1000).toString(36);
  const id = randomBytes(16).toString('hex');
  const token = `${userId}-${made}-${id}-${signature(box, user, made, id).toString('base64url')}`;
  return { token, seconds: (DAYS * DAY_MS) / 1000 };
}

/** What sets the device apart, where the cookie is ours, of this account, and not too old; else null. */
export function knownDevice(
  { box, now }: Pick<IdentityDeps, 'box' | 'now'>,
  token: string | null,
  user: Account | undefined,
): string | null {
  const [, userId, made = '', id = '', signed = ''] = TOKEN.exec(token ?? '') ?? [];
  if (user === undefined || userId !== user.id) return null;
  if (now() - Number.parseInt(made, 36) * 1000 > DAYS * DAY_MS) return null;
  const given = Buffer.from(signed, 'base64url');
  const right = signature(box, user, made, id);
  return given.length === right.length && timingSafeEqual(given, right) ? `device:${id}` : null;
}
