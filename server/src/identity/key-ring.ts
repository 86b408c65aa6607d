import { isExpired } from './allowance.ts';
import { sql } from 'kysely';
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Bus, Unsubscribe } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { KEYS_CHANNEL, readKeysChanged, TRUST_MS } from './key-changes.ts';
import { isWellFormedKey } from './key-format.ts';
import { createKeyLookup } from './key-lookup.ts';
import type { KeyRecord } from './key-record.ts';
import { recordRows, toRecord } from './key-row.ts';

/** The keys of all tenants, in the memory of one process. */
export interface KeyRing {
  /**
   * Finds the key with this value in memory, in about a microsecond. Null means that memory does not tell: unknown, deleted,
   * expired, or this process has lost the database. Call {@link KeyRing.find} before refusing the caller.
   */
  verify(token: string): KeyRecord | null;
  /**
   * Finds the key with this value in memory, else in the database. Null is final. A value of the wrong
   * form or checksum is refused without a look-up. Throws StudioError `unavailable` when the database does not answer.
   */
  find(token: string): Promise<KeyRecord | null>;
  /**
   * Calls `listener` once this process learns that a key may no longer be used: it was deleted, or its holder may not call the API.
   * Running work of the key has to be ended. Returns a function that removes the listener.
   */
  onRevoked(listener: (key: RevokedKey) => void): () => void;
  /** Loads the keys. Until it has resolved, no key is verified. */
  start(): Promise<void>;
  /** Removes this process from `nodes` and writes the last use of keys. Safe to repeat. */
  close(): Promise<void>;
}

/** A key that was usable until now. */
export interface RevokedKey {
  readonly id: string;
  readonly reason: 'deleted' | 'holder';
}

/** Two clocks, as neither is enough alone: the wall clock may be set back, the monotonic clock stops while a machine sleeps. */
interface KeyRingClock {
  /** Milliseconds since 1970. */
  wall(): number;
  /** Monotonic clock in milliseconds. */
  steady(): number;
}

export interface KeyRingOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Logger;
  /**
   * How long after its last heartbeat a process that has lost the database trusts its keys; never shorter than the trust. A deletion of
   * which it does not hear outlives it by this at most. 0 by default.
   */
  readonly keyGraceMs?: number;
  readonly clock?: KeyRingClock;
}

interface Entry {
  readonly record: KeyRecord;
  readonly sha256: string;
  /** Time of the last use in milliseconds since 1970; 0 once that is written. */
  usedAt: number;
}

/** Interval of heartbeats; several may fail before the trust expires. */
const HEARTBEAT_MS = 1_000;
/** A heartbeat that takes longer counts as failed. */
const HEARTBEAT_TIMEOUT_MS = 3_000;
const LAST_USED_INTERVAL_MS = 15_000;
/** Values of keys that are known without being hashed again; beyond these all are forgotten. */
const MAX_KNOWN_VALUES = 256;

export function createKeyRing({
  db,
  bus,
  log,
  keyGraceMs = 0,
  clock = { wall: Date.now, steady: () => performance.now() },
}: KeyRingOptions): KeyRing {
  const nodeId = hexId();
  const byHash = new Map<string, Entry>();
  const byId = new Map<string, Entry>();
  /** Entries by the values that were presented for them since the last change of any key. */
  const byValue = new Map<string, Entry>();
  const recentlyUsed = new Set<Entry>();
  const revokedListeners = new Set<(key: RevokedKey) => void>();
  const lookUp = createKeyLookup(db);
  let appliedVersion = -1;
  let lastAttempt = 0;
  /** When the last heartbeat that succeeded began. */
  let lastHeartbeatSteadyMs = -Infinity;
  let lastHeartbeatWallMs = -Infinity;
  /** Whether the last heartbeat failed, and no change was announced since whose keys are unknown. */
  let isInGrace = false;
  let runningHeartbeat: Promise<void> | null = null;
  const state = { isRepeatRequested: false, isClosed: false };
  let heartbeatTimer: NodeJS.Timeout | null = null;
  let lastUsedTimer: NodeJS.Timeout | null = null;
  let unsubscribe: Unsubscribe | null = null;

  /**
   * One heartbeat. The order matters: the row of this process is committed before the version is read. A deletion that is not in that
   * version is committed later, so it sees the row and waits for this process. Stops after its timeout (`attempt` is outdated), as an
   * old result must not undo a newer one.
   */
  async function heartbeatOnce(attempt: number): Promise<void> {
    const steady = clock.steady();
    const wall = clock.wall();
    await writeHeartbeat();
    const { version } = await db.query.selectFrom('key_clock').select('version').executeTakeFirstOrThrow();
    if (version > appliedVersion) {
      const rows = await changesSince(appliedVersion);
      if (attempt !== lastAttempt) return;
      applyChanges(rows, version);
      await writeHeartbeat();
    }
    if (attempt !== lastAttempt || state.isClosed) return;
    lastHeartbeatSteadyMs = steady;
    lastHeartbeatWallMs = wall;
    isInGrace = false;
  }

  async function writeHeartbeat(): Promise<void> {
    await sql`
      INSERT INTO nodes (id, key_version) VALUES (${nodeId}, ${appliedVersion})
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), key_version = excluded.key_version`.execute(db.query);
  }

  /** Selects keys that changed after a version; before the first version, all keys that are not deleted. */
  function changesSince(version: number) {
    const query = recordRows(db.query);
    return (version < 0 ? query.where('deleted_at', 'is', null) : query.where('version', '>', version)).execute();
  }

  /** Applies changes. `version` was read before the rows, so they hold at least every change up to it. */
  function applyChanges(rows: Awaited<ReturnType<typeof changesSince>>, version: number): void {
    const refused: RevokedKey[] = [];
    for (const row of rows) {
      removeEntry(row.id);
      if (row.deleted_at === null) {
        const record = toRecord(row);
        addEntry({ record, sha256: row.sha256.toString('base64'), usedAt: 0 });
        if (!record.holderMayCall) refused.push({ id: row.id, reason: 'holder' });
      } else refused.push({ id: row.id, reason: 'deleted' });
    }
    appliedVersion = version;
    for (const key of refused) for (const listener of revokedListeners) listener(key);
  }

  function addEntry(entry: Entry): void {
    byId.set(entry.record.id, entry);
    byHash.set(entry.sha256, entry);
    byValue.clear();
  }

  function removeEntry(id: string): void {
    const entry = byId.get(id);
    if (entry === undefined) return;
    byId.delete(id);
    byHash.delete(entry.sha256);
    byValue.clear();
  }

  /** Sends a heartbeat now, or once more after the running one, which may have read too early. */
  function heartbeat(): Promise<void> {
    if (runningHeartbeat !== null) {
      state.isRepeatRequested = true;
      return runningHeartbeat;
    }
    runningHeartbeat = (async () => {
      do {
        state.isRepeatRequested = false;
        await withTimeout(heartbeatOnce(++lastAttempt), () => lastAttempt++).catch((error: unknown) => {
          isInGrace = true;
          throw error;
        });
      } while (state.isRepeatRequested && !state.isClosed);
    })().finally(() => (runningHeartbeat = null));
    return runningHeartbeat;
  }

  function heartbeatInBackground(): void {
    if (state.isClosed) return;
    heartbeat().catch((error: unknown) => log.warn({ err: error }, 'API keys could not be brought up to date'));
  }

  /** Keys that changed are not trusted until their change was read. Where the message does not name them, no key is trusted. */
  function onChange(payload: unknown): void {
    const change = readKeysChanged(payload);
    if (change === null || change.version > appliedVersion) {
      if (change?.ids) change.ids.forEach(removeEntry);
      else if (isInGrace) lastHeartbeatSteadyMs = lastHeartbeatWallMs = -Infinity;
    }
    heartbeatInBackground();
  }

  /** Whether the lease of the keys in memory holds, by both clocks. */
  function isTrusted(now: number): boolean {
    const ms = isInGrace ? Math.max(TRUST_MS, keyGraceMs) : TRUST_MS;
    return now < lastHeartbeatWallMs + ms && clock.steady() < lastHeartbeatSteadyMs + ms;
  }

  async function writeLastUsed(): Promise<void> {
    const entries = [...recentlyUsed];
    recentlyUsed.clear();
    if (entries.length === 0) return;
    const ids = entries.map(({ record }) => record.id);
    const times = entries.map(({ usedAt }) => new Date(usedAt));
    for (const entry of entries) entry.usedAt = 0;
    await sql`
      UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
      FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used (id, at) WHERE api_keys.id = used.id`
      .execute(db.query)
      .catch((error: unknown) => log.warn({ err: error }, 'last use of API keys could not be written'));
  }

  /** The entry of a value whose hash was not taken since the last change. */
  function entryByHash(value: string): Entry | undefined {
    const entry = byHash.get(hash('sha256', value, 'base64'));
    if (entry === undefined) return undefined;
    if (byValue.size === MAX_KNOWN_VALUES) byValue.clear();
    // In memory of its own: a part of a text would keep all of the head that it was read from.
    byValue.set(Buffer.from(value).toString(), entry);
    return entry;
  }

  function verify(token: string): KeyRecord | null {
    const entry = byValue.get(token) ?? entryByHash(token);
    if (entry === undefined) return null;
    const now = clock.wall();
    if (!isTrusted(now) || isExpired(entry.record, now)) return null;
    if (entry.usedAt === 0) recentlyUsed.add(entry);
    entry.usedAt = now;
    return entry.record;
  }

  return {
    verify,
    async find(token) {
      const cached = verify(token);
      if (cached !== null) return cached;
      if (state.isClosed) throw new StudioError('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });
      if (!isWellFormedKey(token)) return null;
      const record = await lookUp(token);
      return record === null || isExpired(record, clock.wall()) ? null : record;
    },
    onRevoked(listener) {
      revokedListeners.add(listener);
      return () => void revokedListeners.delete(listener);
    },
    async start() {
      unsubscribe = await bus.subscribe(KEYS_CHANNEL, onChange, heartbeatInBackground);
      await db.query
        .deleteFrom('nodes')
        .where(sql<boolean>`seen_at < now() - interval '1 hour'`)
        .execute();
      await heartbeat();
      heartbeatTimer = setInterval(heartbeatInBackground, HEARTBEAT_MS).unref();
      lastUsedTimer = setInterval(() => void writeLastUsed(), LAST_USED_INTERVAL_MS).unref();
    },
    async close() {
      if (state.isClosed) return;
      state.isClosed = true;
      if (heartbeatTimer !== null) clearInterval(heartbeatTimer);
      if (lastUsedTimer !== null) clearInterval(lastUsedTimer);
      lastHeartbeatSteadyMs = lastHeartbeatWallMs = -Infinity;
      await unsubscribe?.();
      await runningHeartbeat?.catch(() => undefined);
      await writeLastUsed();
      // Deletions need not wait for this process any more. If this fails, they wait for its lease.
      await db.query
        .deleteFrom('nodes')
        .where('id', '=', nodeId)
        .execute()
        .catch(() => undefined);
    },
  };
}

async function withTimeout(work: Promise<void>, onTimeout: () => void): Promise<void> {
  const timeout = new AbortController();
  const timedOut = sleep(HEARTBEAT_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false }).then(
    () => {
      onTimeout();
      throw new Error('the database took too long');
    },
    () => undefined,
  );
  try {
    await Promise.race([work, timedOut]);
  } finally {
    timeout.abort();
    work.catch(() => undefined);
  }
}
