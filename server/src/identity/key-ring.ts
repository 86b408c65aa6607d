import { isExpired } from './allowance.ts';
import { sql } from 'kysely';
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Bus, Unsubscribe } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { KEYS_CHANNEL, TRUST_MS } from './key-changes.ts';
import { isKeyShaped } from './key-format.ts';
import { createKeyLookup } from './key-lookup.ts';
import type { KeyRecord } from './key-record.ts';
import { recordRows, toRecord } from './key-row.ts';

/** The keys of all tenants, in the memory of one process. */
export interface KeyRing {
  /**
   * The key with this value, from memory, in about a microsecond. Null means "not known at once": unknown, deleted,
   * expired, or this process has lost touch with the database. Ask {@link KeyRing.find} before refusing the caller.
   */
  verify(token: string): KeyRecord | null;
  /**
   * The key with this value, asking the database when memory does not have it. Null is final. A value of the wrong
   * form or checksum is refused without a look-up. Throws StudioError `unavailable` when the database does not answer.
   */
  find(token: string): Promise<KeyRecord | null>;
  /**
   * Calls `listener` once this process learns that keys may not be used any more: with a key that was deleted, or whose
   * holder may not call. What they began is to be ended. Returns what ends the calls.
   */
  onRefused(listener: (key: RefusedKey) => void): () => void;
  /** Loads the keys. Until it has resolved nothing is verified. */
  start(): Promise<void>;
  /** Tells the others that this process is gone and writes when keys were used last. Safe to repeat. */
  close(): Promise<void>;
}

/** A key that was usable until now. */
export interface RefusedKey {
  readonly id: string;
  readonly why: 'deleted' | 'holder';
}

/** Two clocks, because neither is enough alone: the wall clock may be set back, the steady one stands still while a machine sleeps. */
interface KeyRingClock {
  /** Milliseconds since 1970. */
  wall(): number;
  /** Milliseconds that never go back. */
  steady(): number;
}

export interface KeyRingOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Logger;
  readonly clock?: KeyRingClock;
}

interface Entry {
  readonly record: KeyRecord;
  readonly sha256: string;
  /** When it was used last, in milliseconds since 1970; 0 when that is written already. */
  usedAt: number;
}

/** A sign of life is given this often; several may fail before the trust runs out. */
const BEAT_MS = 1_000;
/** A sign of life that takes longer counts as failed. */
const BEAT_TIMEOUT_MS = 3_000;
const LAST_USED_INTERVAL_MS = 15_000;

export function createKeyRing({
  db,
  bus,
  log,
  clock = { wall: Date.now, steady: () => performance.now() },
}: KeyRingOptions): KeyRing {
  const nodeId = hexId();
  const byHash = new Map<string, Entry>();
  const byId = new Map<string, Entry>();
  const used = new Set<Entry>();
  const refusedListeners = new Set<(key: RefusedKey) => void>();
  const lookUp = createKeyLookup(db);
  let takenIn = -1;
  let turns = 0;
  let trustedSteady = -Infinity;
  let trustedWall = -Infinity;
  let beating: Promise<void> | null = null;
  const state = { again: false, closed: false };
  let beatTimer: NodeJS.Timeout | null = null;
  let usedTimer: NodeJS.Timeout | null = null;
  let unsubscribe: Unsubscribe | null = null;

  /**
   * One sign of life. The order matters: our row is committed before the number of the last change is read. A deletion
   * that we do not see in that number is committed later, so it sees our row and waits for us.
   * Does nothing more once it was given up (`turn` has passed), as an old answer must not undo a newer one.
   */
  async function beatOnce(turn: number): Promise<void> {
    const steady = clock.steady();
    const wall = clock.wall();
    await giveSign();
    const { version } = await db.query.selectFrom('key_clock').select('version').executeTakeFirstOrThrow();
    if (version > takenIn) {
      const rows = await changesSince(takenIn);
      if (turn !== turns) return;
      takeIn(rows, version);
      await giveSign();
    }
    if (turn !== turns || state.closed) return;
    trustedSteady = steady + TRUST_MS;
    trustedWall = wall + TRUST_MS;
  }

  async function giveSign(): Promise<void> {
    await sql`
      INSERT INTO nodes (id, key_version) VALUES (${nodeId}, ${takenIn})
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), key_version = excluded.key_version`.execute(db.query);
  }

  /** The keys that changed after this number; before the first number all that are not deleted. */
  function changesSince(version: number) {
    const query = recordRows(db.query);
    return (version < 0 ? query.where('deleted_at', 'is', null) : query.where('version', '>', version)).execute();
  }

  /** `version` was read before the rows, so they hold at least every change up to it. */
  function takeIn(rows: Awaited<ReturnType<typeof changesSince>>, version: number): void {
    const refused: RefusedKey[] = [];
    for (const row of rows) {
      forget(row.id);
      if (row.deleted_at === null) {
        const record = toRecord(row);
        remember({ record, sha256: row.sha256.toString('base64'), usedAt: 0 });
        if (!record.holderMayCall) refused.push({ id: row.id, why: 'holder' });
      } else refused.push({ id: row.id, why: 'deleted' });
    }
    takenIn = version;
    for (const key of refused) for (const listener of refusedListeners) listener(key);
  }

  function remember(entry: Entry): void {
    byId.set(entry.record.id, entry);
    byHash.set(entry.sha256, entry);
  }

  function forget(id: string): void {
    const entry = byId.get(id);
    if (entry === undefined) return;
    byId.delete(id);
    byHash.delete(entry.sha256);
  }

  /** Beats now, or once more after the one under way, which may have read too early. */
  function beat(): Promise<void> {
    if (beating !== null) {
      state.again = true;
      return beating;
    }
    beating = (async () => {
      do {
        state.again = false;
        await inTime(beatOnce(++turns), () => turns++);
      } while (state.again && !state.closed);
    })().finally(() => (beating = null));
    return beating;
  }

  function beatQuietly(): void {
    if (state.closed) return;
    beat().catch((error: unknown) => log.warn({ err: error }, 'API keys could not be brought up to date'));
  }

  async function writeLastUsed(): Promise<void> {
    const entries = [...used];
    used.clear();
    if (entries.length === 0) return;
    const ids = entries.map(({ record }) => record.id);
    const times = entries.map(({ usedAt }) => new Date(usedAt));
    for (const entry of entries) entry.usedAt = 0;
    await sql`
      UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
      FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used (id, at) WHERE api_keys.id = used.id`
      .execute(db.query)
      .catch((error: unknown) => log.warn({ err: error }, 'The last use of API keys was not written'));
  }

  function verify(token: string): KeyRecord | null {
    const entry = byHash.get(hash('sha256', token, 'base64'));
    if (entry === undefined) return null;
    const now = clock.wall();
    if (now >= trustedWall || clock.steady() >= trustedSteady || isExpired(entry.record, now)) return null;
    if (entry.usedAt === 0) used.add(entry);
    entry.usedAt = now;
    return entry.record;
  }

  return {
    verify,
    async find(token) {
      const known = verify(token);
      if (known !== null) return known;
      if (state.closed) throw new StudioError('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });
      if (!isKeyShaped(token)) return null;
      const record = await lookUp(token);
      return record === null || isExpired(record, clock.wall()) ? null : record;
    },
    onRefused(listener) {
      refusedListeners.add(listener);
      return () => void refusedListeners.delete(listener);
    },
    async start() {
      unsubscribe = await bus.subscribe(KEYS_CHANNEL, beatQuietly, beatQuietly);
      await db.query
        .deleteFrom('nodes')
        .where(sql<boolean>`seen_at < now() - interval '1 hour'`)
        .execute();
      await beat();
      beatTimer = setInterval(beatQuietly, BEAT_MS).unref();
      usedTimer = setInterval(() => void writeLastUsed(), LAST_USED_INTERVAL_MS).unref();
    },
    async close() {
      if (state.closed) return;
      state.closed = true;
      if (beatTimer !== null) clearInterval(beatTimer);
      if (usedTimer !== null) clearInterval(usedTimer);
      trustedSteady = trustedWall = -Infinity;
      await unsubscribe?.();
      await beating?.catch(() => undefined);
      await writeLastUsed();
      // Deletions need not wait for this process any more. When this fails they wait for its lease.
      await db.query
        .deleteFrom('nodes')
        .where('id', '=', nodeId)
        .execute()
        .catch(() => undefined);
    },
  };
}

async function inTime(work: Promise<void>, giveUp: () => void): Promise<void> {
  const timeout = new AbortController();
  const late = sleep(BEAT_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false }).then(
    () => {
      giveUp();
      throw new Error('the database took too long');
    },
    () => undefined,
  );
  try {
    await Promise.race([work, late]);
  } finally {
    timeout.abort();
    work.catch(() => undefined);
  }
}
