import { Client, escapeIdentifier } from 'pg';
import type { Logger } from '../../kernel/log.ts';
import type { StopListening } from '../../ports/database.ts';
import type { PostgresConnection } from './connection.ts';
import { clientConfig } from './pool.ts';

interface Subscription {
  readonly onPayload: (payload: string) => void;
  readonly onGap: (() => void) | undefined;
}

/** Hears notifications over one connection of its own. */
export interface Listener {
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<StopListening>;
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** A connection that was cut without a word is found out this late at most. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
/** PostgreSQL cuts longer names off. Source: NAMEDATALEN. */
const CHANNEL_BYTES = 63;

/** Asks a connection one thing after the other, in the order of the calls: it takes no second question before it has answered. */
function createTurns() {
  const turns = new WeakMap<Client, Promise<unknown>>();
  return (client: Client, text: string): Promise<unknown> => {
    const before = turns.get(client) ?? Promise.resolve();
    const answer = before.then(
      () => client.query(text),
      () => client.query(text),
    );
    turns.set(client, answer);
    return answer;
  };
}

export function createListener(connection: PostgresConnection, log: Logger): Listener {
  const channels = new Map<string, Set<Subscription>>();
  let client: Client | null = null;
  let connecting: Promise<Client> | null = null;
  let retry: NodeJS.Timeout | null = null;
  let retryMs = FIRST_RETRY_MS;
  let probe: NodeJS.Timeout | null = null;
  let closed = false;
  const ask = createTurns();

  async function connect(): Promise<Client> {
    const fresh = new Client(clientConfig(connection));
    fresh.on('error', () => lost(fresh));
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', ({ channel, payload = '' }) => deliver(channel, payload));
    try {
      await fresh.connect();
      for (const channel of channels.keys()) await ask(fresh, `LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      fresh.end().catch(() => undefined);
      throw error;
    }
    client = fresh;
    retryMs = FIRST_RETRY_MS;
    return fresh;
  }

  /** The connection, made when there is none; all callers share one attempt. */
  function connected(): Promise<Client> {
    if (client !== null) return Promise.resolve(client);
    return (connecting ??= connect().finally(() => (connecting = null)));
  }

  function lost(which: Client): void {
    if (client !== which) return;
    client = null;
    which.end().catch(() => undefined);
    if (closed || channels.size === 0) return;
    log.warn({}, 'The connection for notifications was lost; it is made anew');
    scheduleMend();
  }

  function scheduleMend(): void {
    if (retry !== null || closed) return;
    retry = setTimeout(() => {
      retry = null;
      connected().then(announceGap, () => scheduleMend());
    }, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function announceGap(): void {
    // Copies: a listener may end its subscription or begin another.
    const all = Array.from(channels.values(), (subscriptions) => Array.from(subscriptions)).flat();
    for (const { onGap } of all) guard(() => onGap?.());
  }

  function deliver(channel: string, payload: string): void {
    for (const { onPayload } of Array.from(channels.get(channel) ?? [])) guard(() => onPayload(payload));
  }

  function guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'A listener of notifications failed');
    }
  }

  /** Finds out connections that were cut without a word. */
  function startProbe(): void {
    probe ??= setInterval(() => {
      const probed = client;
      if (probed === null) return;
      const timeout = setTimeout(() => lost(probed), PROBE_TIMEOUT_MS);
      ask(probed, 'SELECT 1').then(
        () => clearTimeout(timeout),
        () => {
          clearTimeout(timeout);
          lost(probed);
        },
      );
    }, PROBE_INTERVAL_MS).unref();
  }

  return {
    async listen(channel, onPayload, onGap) {
      if (Buffer.byteLength(channel) > CHANNEL_BYTES)
        throw new RangeError(`A channel name has at most ${CHANNEL_BYTES} bytes: ${channel}`);
      const subscription: Subscription = { onPayload, onGap };
      const known = channels.get(channel);
      if (known === undefined) channels.set(channel, new Set([subscription]));
      else known.add(subscription);
      const stop = async () => {
        const subscriptions = channels.get(channel);
        if (!subscriptions?.delete(subscription) || subscriptions.size > 0) return;
        channels.delete(channel);
        if (client !== null) await ask(client, `UNLISTEN ${escapeIdentifier(channel)}`).catch(() => undefined);
      };
      try {
        // Repeated for a known channel too: the one who asked first may still be waiting.
        await ask(await connected(), `LISTEN ${escapeIdentifier(channel)}`);
      } catch (error) {
        await stop();
        throw error;
      }
      startProbe();
      return stop;
    },
    async close() {
      closed = true;
      channels.clear();
      if (retry !== null) clearTimeout(retry);
      if (probe !== null) clearInterval(probe);
      await connecting?.catch(() => undefined);
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
    },
  };
}
