import type { RedisClientType } from '@redis/client';
import type { Logger } from '../../kernel/log.ts';

/** What the connection is used through. */
export type RedisClient = RedisClientType;

export interface RedisConnectionOptions {
  /** redis:// or rediss://, with user, password and number of the database where they are needed. */
  readonly url: string;
  readonly log: Logger;
  /** What each new connection does before it is used; when it fails it is tried again. */
  readonly prepare: (client: RedisClient) => Promise<void>;
  /** Called whenever Redis can be used again, the first time not. */
  readonly onReady?: () => void;
  /** Log messages, written once per outage: at its start and at its end. */
  readonly logMessages: { readonly lost: string; readonly restored: string };
}

/** A connection to Redis that reconnects by itself and never blocks callers for long. */
export interface RedisConnection {
  /** Why Redis cannot be used now; null while it can. */
  unavailableReason(): string | null;
  /** Runs an operation. Rejects at once while it cannot be used, and when it has not answered within half a second. */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** Timeout of an operation. */
const TIMEOUT_MS = 500;
const TICK_MS = 100;
const CONNECT_MS = 2_000;
/** A connection without any event for this long while it is not ready is replaced. */
const STALLED_MS = 3_000;
const MIN_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 1_000;
/** Maximum time until a silently broken idle connection is detected. */
const PROBE_INTERVAL_MS = 5_000;

interface PendingCommand {
  readonly since: number;
  readonly rejectCommand: () => void;
}

/** Connects, and resolves once the first attempt has succeeded or failed. Never rejects when Redis is unreachable. */
export async function openRedis({
  url,
  log,
  prepare,
  onReady,
  logMessages,
}: RedisConnectionOptions): Promise<RedisConnection> {
  // Loaded only where it is configured: it takes a quarter of a second.
  const { createClient } = await import('@redis/client');
  const pending = new Set<PendingCommand>();
  const first = Promise.withResolvers<void>();
  let unavailableReason: string | null = 'not yet connected';
  let outageReported = false;
  let opened = false;
  let closed = false;
  let retryTimer: NodeJS.Timeout | null = null;
  let lastActivityMs = performance.now();
  let client = connect();

  function connect(): RedisClient {
    const fresh = createClient({
      url,
      name: 'ai-studio',
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (retries) => Math.min(MIN_RETRY_DELAY_MS * 2 ** Math.min(retries, 10), MAX_RETRY_DELAY_MS),
      },
    }) as unknown as RedisClient;
    lastActivityMs = performance.now();
    for (const event of ['connect', 'reconnecting', 'ready', 'error'])
      fresh.on(event, () => {
        if (fresh === client) lastActivityMs = performance.now();
      });
    fresh.on('ready', () => void makeReady(fresh));
    fresh.on('error', (error: Error) => {
      if (fresh === client) markUnavailable(reasonOf(error));
    });
    // Failures arrive as the error event above; the client reconnects by itself.
    fresh.connect().catch(() => undefined);
    return fresh;
  }

  async function makeReady(fresh: RedisClient): Promise<void> {
    if (closed || fresh !== client) return;
    try {
      await withTimeout(() => prepare(fresh));
    } catch (error) {
      if (fresh === client) handleFailure(error);
      return;
    }
    if (closed || fresh !== client) return;
    unavailableReason = null;
    if (outageReported) log.info({}, logMessages.restored);
    outageReported = false;
    first.resolve();
    if (opened) onReady?.();
  }

  function markUnavailable(reason: string): void {
    if (closed) return;
    unavailableReason = reason;
    if (!outageReported) log.warn({ reason }, logMessages.lost);
    outageReported = true;
    first.resolve();
  }

  /** After a failure: replaces a connection that timed out, prepares one that answers with errors again. */
  function handleFailure(error: unknown): void {
    if (closed) return;
    markUnavailable(reasonOf(error));
    retryTimer ??= setTimeout(() => {
      retryTimer = null;
      // It may have mended itself meanwhile.
      if (closed || unavailableReason === null) return;
      if (error instanceof TimeoutError) reconnect();
      else if (client.isReady) void makeReady(client);
    }, MAX_RETRY_DELAY_MS).unref();
  }

  function reconnect(): void {
    discard(client);
    client = connect();
  }

  function withTimeout<T>(command: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const entry: PendingCommand = { since: performance.now(), rejectCommand: () => reject(new TimeoutError()) };
      pending.add(entry);
      command()
        .then(resolve, reject)
        .finally(() => pending.delete(entry));
    });
  }

  /** Rejects overdue commands. They are in start order, so the first one is the oldest. */
  const rejectOverdue = () => {
    const before = performance.now() - TIMEOUT_MS;
    for (const entry of pending) {
      if (entry.since > before) break;
      pending.delete(entry);
      entry.rejectCommand();
    }
    if (closed || client.isReady || performance.now() - lastActivityMs < STALLED_MS) return;
    markUnavailable(new TimeoutError().message);
    reconnect();
  };
  // One timer for all operations. After a pause of this process, unread replies are read before timeouts are checked.
  const ticks = setInterval(() => setImmediate(rejectOverdue), TICK_MS).unref();

  async function run<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    if (closed || unavailableReason !== null) throw new Error(unavailableReason ?? 'closed');
    try {
      return await withTimeout(() => command(client));
    } catch (error) {
      handleFailure(error);
      throw error;
    }
  }
  const probes = setInterval(() => {
    if (unavailableReason === null) run((at) => at.ping()).catch(() => undefined);
  }, PROBE_INTERVAL_MS).unref();

  await first.promise;
  opened = true;
  return {
    unavailableReason: () => unavailableReason,
    run,
    close() {
      if (closed) return Promise.resolve();
      closed = true;
      clearInterval(ticks);
      clearInterval(probes);
      if (retryTimer !== null) clearTimeout(retryTimer);
      discard(client);
      for (const { rejectCommand } of pending) rejectCommand();
      pending.clear();
      return Promise.resolve();
    },
  };
}

/** Ends a connection that may have ended already. */
function discard(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

/** Redis did not answer in time. */
class TimeoutError extends Error {
  override message = 'it does not answer';
}

/** An AggregateError of several addresses has no message of its own. Neither kind holds the password. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
};
