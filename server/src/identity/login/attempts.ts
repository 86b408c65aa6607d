import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { Passwords } from '../passwords/hash.ts';
import { textHash } from '../tokens.ts';

const WINDOW_MINUTES = 15;

/**
 * Attempts that may fail within the window. Whoever guesses pauses themselves, not the owner of the account: `pair` is an
 * account from one network, `known` an account from a device that has signed in to it before (or a session of it), which
 * nothing else pauses. `account` bounds guesses from many networks, `code` those of who knows the password; both pause
 * unknown devices alone. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
const MAX_ATTEMPTS = { known: 10, pair: 10, code: 10, account: 100, address: 50 } as const;

type Kind = keyof typeof MAX_ATTEMPTS;
type Subject = readonly [Kind, string];

/** A login attempt to count. */
export interface LoginAttempt {
  /** The e-mail address that was entered, known or not. */
  readonly account: string;
  readonly step: 'password' | 'code';
  /** Network address of the caller. */
  readonly address: string;
  /** The known device or session of the caller; null for unknown callers. */
  readonly known: string | null;
}

function subjectsOf({ account, step, address, known }: LoginAttempt): readonly [Subject, ...Subject[]] {
  const subjectOf = (kind: Kind, text: string) => [kind, textHash(`${kind}:${text}`)] as const satisfies Subject;
  if (known !== null) return [subjectOf('known', `${known}:${account}`)];
  const network = networkOf(address);
  // The strictest first, so that an attempt that it refuses does not count for the others.
  const own = step === 'code' ? subjectOf('code', account) : subjectOf('pair', `${network}:${account}`);
  return step === 'code'
    ? [own, subjectOf('address', network)]
    : [own, subjectOf('address', network), subjectOf('account', account)];
}

/** A running attempt; it counts as failed until it is withdrawn. */
export interface Attempt {
  /** Removes the attempt from the counts. */
  withdraw(): Promise<void>;
  /** Records success: also removes earlier failures of the same caller for the account. */
  succeed(): Promise<void>;
}

/**
 * Counts an attempt before it is checked, so that concurrent attempts are limited as well. Stores hashes only, as people type
 * passwords into the field of the address. Throws StudioError `rate_limited`, reason `too_many_attempts`.
 */
export async function beginAttempt({ db }: DatabaseDeps, input: LoginAttempt): Promise<Attempt> {
  const subjects = subjectsOf(input);
  const [[ownKind, ownSubject]] = subjects;
  const ids = await db.transaction(async (tx) => {
    await tx
      .deleteFrom('login_failures')
      .where('at', '<', sql<Date>`now() - ${WINDOW_MINUTES} * interval '1 minute'`)
      .execute();
    const failureIds: string[] = [];
    for (const [kind, subject] of subjects) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx);
      const { rows } = await sql<{ count: number; seconds: number | null }>`
        SELECT count(*) AS count,
          ceil(extract(epoch FROM (array_agg(at ORDER BY at DESC))[${MAX_ATTEMPTS[kind]}]
            + ${WINDOW_MINUTES} * interval '1 minute' - now()))::float8 AS seconds
        FROM login_failures WHERE kind = ${kind} AND subject = ${subject}
          AND at > now() - ${WINDOW_MINUTES} * interval '1 minute'`.execute(tx);
      const [row] = rows;
      if (row && row.count >= MAX_ATTEMPTS[kind]) throw tooMany(kind, Math.max(1, row.seconds ?? WINDOW_MINUTES * 60));
      const id = hexId();
      await tx.insertInto('login_failures').values({ id, kind, subject }).execute();
      failureIds.push(id);
    }
    return failureIds;
  });
  const withdraw = async () => void (await db.query.deleteFrom('login_failures').where('id', 'in', ids).execute());
  return {
    withdraw,
    async succeed() {
      await withdraw();
      await db.query
        .deleteFrom('login_failures')
        .where('kind', '=', ownKind)
        .where('subject', '=', ownSubject)
        .execute();
    },
  };
}

/** Verifies a password. Withdraws the attempt where that is not possible, as too many wait. Errors: `unavailable`. */
export async function verifyPassword(
  passwords: Passwords,
  attempt: Attempt,
  password: string,
  stored: string | null,
): ReturnType<Passwords['verify']> {
  try {
    return await passwords.verify(password, stored);
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
}

function tooMany(kind: Kind, seconds: number): StudioError {
  const subjectName = kind === 'address' ? 'this network address' : 'this account';
  return new StudioError('rate_limited', `Too many attempts for ${subjectName}; try again in ${seconds} seconds`, {
    reason: 'too_many_attempts',
    values: { seconds },
    retryAfterSeconds: seconds,
  });
}

/** The network of an address: a customer of IPv6 has 2^64 addresses. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address.replace('::ffff:', '');
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
