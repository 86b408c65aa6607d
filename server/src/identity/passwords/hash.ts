import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { StudioError } from '../../kernel/errors.ts';

/** Cost parameters of scrypt: N = 2^`log2n` blocks of 128·`r` bytes, `p` times. Source: RFC 7914. */
export interface PasswordCost {
  readonly log2n: number;
  readonly r: number;
  readonly p: number;
}

/** Source: OWASP Password Storage Cheat Sheet, scrypt with 64 MiB. */
const COST: PasswordCost = { log2n: 16, r: 8, p: 2 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Each holds 64 MiB and a thread of the pool; two leave threads for files and names. */
const MAX_CONCURRENT = 2;
/** Maximum number of queued hashes; at half a second each nobody would wait for more. */
const MAX_QUEUED = 64;

/** Form of the stored text: parameters, salt, hash. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/** Hashes and checks passwords. Errors of both: `unavailable` when too many wait. */
export interface Passwords {
  /** Text for the database. */
  hash(password: string): Promise<string>;
  /**
   * Costs the same whether there is a hash or not, so that nobody learns who has an account.
   * `outdated` where the stored hash was made with other parameters.
   */
  verify(password: string, stored: string | null): Promise<{ readonly ok: boolean; readonly outdated: boolean }>;
}

export function createPasswords({ cost = COST }: { readonly cost?: PasswordCost } = {}): Passwords {
  const withSlot = createConcurrencyLimit();
  const derive = (password: string, salt: Buffer, { log2n, r, p }: PasswordCost) =>
    withSlot(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          const N = 2 ** log2n;
          const options = { N, r, p, maxmem: 2 * 128 * N * r };
          scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
            error ? reject(error) : resolve(hash),
          );
        }),
    );
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, cost);
      const { log2n, r, p } = cost;
      return `$scrypt$ln=${log2n},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    },
    async verify(password, stored) {
      const known = stored === null ? null : parse(stored);
      if (known === null) {
        await derive(password, randomBytes(SALT_BYTES), cost);
        return { ok: false, outdated: false };
      }
      const hash = await derive(password, known.salt, known.cost);
      const same = (['log2n', 'r', 'p'] as const).every((name) => known.cost[name] === cost[name]);
      return { ok: timingSafeEqual(hash, known.hash), outdated: !same };
    },
  };
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } | null {
  const [, log2n, r, p, salt, hash] = STORED.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return null;
  const bytes = Buffer.from(hash, 'base64url');
  if (bytes.length !== HASH_BYTES) return null;
  return {
    cost: { log2n: Number(log2n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: bytes,
  };
}

/** Runs work in the order in which it came, {@link MAX_CONCURRENT} at a time. */
function createConcurrencyLimit() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= MAX_CONCURRENT) {
      if (waiting.length >= MAX_QUEUED)
        throw new StudioError('unavailable', 'Too many people sign in at this moment; try again shortly', {
          retryAfterSeconds: 5,
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      // The slot is handed over rather than released, so that a newcomer can't overtake the queue.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
