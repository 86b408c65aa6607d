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
  /** What is written once when Redis is lost, and once when it is back. */
  readonly words: { readonly lost: string; readonly back: string };
}

/** A connection to Redis that mends itself, and of which nobody waits long. */
export interface RedisConnection {
  /** Why Redis cannot be used now; null while it can. */
  trouble(): string | null;
  /** Asks Redis. Rejects at once while it cannot be used, and when it has not answered within half a second. */
  ask<T>(question: (client: RedisClient) => Promise<T>): Promise<T>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** An answer that takes longer will not be waited for. */
const TIMEOUT_MS = 500;
const TICK_MS = 100;
const CONNECT_MS = 2_000;
/** A connection that is made and then says nothing for so long is given up. */
const STUCK_MS = 3_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;
/** An idle connection that was cut without a word is found out this late at most. */
const PROBE_INTERVAL_MS = 5_000;

interface Waiting {
  readonly since: number;
  readonly giveUp: () => void;
}

/** Connects, and resolves once the first attempt has succeeded or failed. Never rejects for a Redis that is away. */
export async function openRedis({
  url,
  log,
  prepare,
  onReady,
  words,
}: RedisConnectionOptions): Promise<RedisConnection> {
  // Loaded only where it is configured: it takes a quarter of a second.
  const { createClient } = await import('@redis/client');
  const waiting = new Set<Waiting>();
  const first = Promise.withResolvers<void>();
  let trouble: string | null = 'not yet connected';
  let told = false;
  let opened = false;
  let closed = false;
  let again: NodeJS.Timeout | null = null;
  let stirred = performance.now();
  let client = connect();

  function connect(): RedisClient {
    const fresh = createClient({
      url,
      name: 'ai-studio',
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (retries) => Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), LAST_RETRY_MS),
      },
    }) as unknown as RedisClient;
    stirred = performance.now();
    for (const event of ['connect', 'reconnecting', 'ready', 'error'])
      fresh.on(event, () => {
        if (fresh === client) stirred = performance.now();
      });
    fresh.on('ready', () => void makeReady(fresh));
    fresh.on('error', (error: Error) => {
      if (fresh === client) away(reasonOf(error));
    });
    // Failures are told by the event above, and it connects anew by itself.
    fresh.connect().catch(() => undefined);
    return fresh;
  }

  async function makeReady(fresh: RedisClient): Promise<void> {
    if (closed || fresh !== client) return;
    try {
      await inTime(() => prepare(fresh));
    } catch (error) {
      if (fresh === client) lostBy(error);
      return;
    }
    if (closed || fresh !== client) return;
    trouble = null;
    if (told) log.info({}, words.back);
    told = false;
    first.resolve();
    if (opened) onReady?.();
  }

  function away(reason: string): void {
    if (closed) return;
    trouble = reason;
    if (!told) log.warn({ reason }, words.lost);
    told = true;
    first.resolve();
  }

  /** After a failure: a connection that is silent is made anew, one that answers with errors is prepared again. */
  function lostBy(error: unknown): void {
    if (closed) return;
    away(reasonOf(error));
    again ??= setTimeout(() => {
      again = null;
      // It may have mended itself meanwhile.
      if (closed || trouble === null) return;
      if (error instanceof Silence) renew();
      else if (client.isReady) void makeReady(client);
    }, LAST_RETRY_MS).unref();
  }

  function renew(): void {
    discard(client);
    client = connect();
  }

  function inTime<T>(question: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const place: Waiting = { since: performance.now(), giveUp: () => reject(new Silence()) };
      waiting.add(place);
      question()
        .then(resolve, reject)
        .finally(() => waiting.delete(place));
    });
  }

  /** Asked in the order of their begin, so the first one is the oldest. */
  const giveUpLate = () => {
    const before = performance.now() - TIMEOUT_MS;
    for (const place of waiting) {
      if (place.since > before) break;
      waiting.delete(place);
      place.giveUp();
    }
    if (closed || client.isReady || performance.now() - stirred < STUCK_MS) return;
    away(new Silence().message);
    renew();
  };
  // One timer for all questions. After a pause of this process answers may lie unread: they are read before it judges.
  const ticks = setInterval(() => setImmediate(giveUpLate), TICK_MS).unref();

  async function ask<T>(question: (client: RedisClient) => Promise<T>): Promise<T> {
    if (closed || trouble !== null) throw new Error(trouble ?? 'closed');
    try {
      return await inTime(() => question(client));
    } catch (error) {
      lostBy(error);
      throw error;
    }
  }
  const probes = setInterval(() => {
    if (trouble === null) ask((at) => at.ping()).catch(() => undefined);
  }, PROBE_INTERVAL_MS).unref();

  await first.promise;
  opened = true;
  return {
    trouble: () => trouble,
    ask,
    close() {
      if (closed) return Promise.resolve();
      closed = true;
      clearInterval(ticks);
      clearInterval(probes);
      if (again !== null) clearTimeout(again);
      discard(client);
      for (const { giveUp } of waiting) giveUp();
      waiting.clear();
      return Promise.resolve();
    },
  };
}

/** Ends a connection that may have ended already. */
function discard(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

/** Redis did not answer in time. */
class Silence extends Error {
  override message = 'it does not answer';
}

/** An error of several addresses has no words of its own. Neither kind holds the password. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
};
