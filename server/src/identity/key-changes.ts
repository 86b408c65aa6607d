import { sql, type Transaction } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../kernel/errors.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database, Tables } from '../ports/database.ts';

/**
 * How processes agree on the keys. Every change of `api_keys` takes the next version of `key_clock`, whose row lock makes versions
 * commit in order. Every process that caches keys has a row in `nodes`: the last version it applied, and its last heartbeat. A
 * process trusts its cache for {@link TRUST_MS} after a heartbeat and no longer; a deletion waits until every process has applied it,
 * or has sent no heartbeat for {@link LEASE_MS} and so has stopped trusting its cache. The exception is the grace of a process that
 * knows it has lost the database: see `keyGraceMs` of the key ring.
 */
export const TRUST_MS = 5_000;
/** Longer than TRUST_MS: the difference covers clocks that run at different speeds. */
const LEASE_MS = 6_000;
/** Channel on which changes are announced, as {@link KeysChanged}. */
export const KEYS_CHANNEL = 'keys';
/** More ids would not fit into a message. */
const MAX_ANNOUNCED = 150;

/** Message on {@link KEYS_CHANNEL}. Names the changed keys, for processes that have lost the database and can't read them. */
export interface KeysChanged {
  readonly version: number;
  /** Ids of the keys; null where they are too many. */
  readonly ids: readonly string[] | null;
}

/** Parses a message; null for another form, such as that of an older version of the service. */
export function readKeysChanged(payload: unknown): KeysChanged | null {
  const { version, ids } = (payload ?? {}) as Partial<Record<keyof KeysChanged, unknown>>;
  if (typeof version !== 'number') return null;
  return { version, ids: Array.isArray(ids) ? ids.map(String) : null };
}

export interface KeyChangeDeps {
  readonly db: Database;
  readonly bus: Bus;
}

/** Changes `api_keys` under a new version and announces it. `work` resolves with null where it changed nothing. */
export async function changeKeys<T>(
  { db, bus }: KeyChangeDeps,
  work: (tx: Transaction<Tables>, version: number) => Promise<T | null>,
): Promise<{ result: T; version: number } | null> {
  const changed = await db.transaction(async (tx) => {
    const { version } = await tx
      .updateTable('key_clock')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .returning('version')
      .executeTakeFirstOrThrow();
    const result = await work(tx, version);
    if (result === null) return null;
    const rows = await tx.selectFrom('api_keys').select('id').where('version', '=', version).execute();
    const ids = rows.length > MAX_ANNOUNCED ? null : rows.map(({ id }) => id);
    return { result, version, ids };
  });
  // A lost message only costs time: each process also reads the version with every heartbeat.
  if (changed === null) return null;
  const { version, ids } = changed;
  await bus.publish(KEYS_CHANNEL, { version, ids } satisfies KeysChanged).catch(() => undefined);
  return changed;
}

/**
 * Resolves once no process trusts data older than the change. Takes milliseconds when all are healthy, and up to
 * {@link LEASE_MS} after one died. Throws StudioError `unavailable` if that can't be established.
 */
export async function waitUntilApplied(db: Database, version: number): Promise<void> {
  const deadline = performance.now() + 3 * LEASE_MS;
  for (let pauseMs = 2; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 100)) {
    const { rows } = await sql<{ behind: number }>`
      SELECT count(*) AS behind FROM nodes
      WHERE key_version < ${version} AND seen_at > now() - ${LEASE_MS} * interval '1 millisecond'`.execute(db.query);
    if (rows[0]?.behind === 0) return;
    await sleep(pauseMs);
  }
  throw new StudioError(
    'unavailable',
    'The change is stored, but not every process has confirmed it yet. Try again in a moment.',
    { retryAfterSeconds: 5 },
  );
}
