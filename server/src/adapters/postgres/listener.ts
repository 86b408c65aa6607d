import { Client, escapeIdentifier } from 'pg';
import type { Logger } from '../../kernel/log.ts';
import type { StopListening } from '../../ports/database.ts';
import type { PostgresConnection } from './connection.ts';
import { clientConfig } from './pool.ts';

interface Subscription {
  readonly onPayload: (payload: string) => void;
  readonly onGap: (() => void) | undefined;
}

/** Receives notifications over one dedicated connection. */
export interface Listener {
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<StopListening>;
  close(): Promise<void>;
}

const MIN_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 2_000;
/** Maximum time until a silently broken connection is detected. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
/** PostgreSQL cuts longer names off. Source: NAMEDATALEN. */
const MAX_CHANNEL_BYTES = 63;

/** Runs the queries of a connection one at a time, in the order of the calls. */
function createQueryQueue() {
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
  let retryMs = MIN_RETRY_DELAY_MS;
  let probe: NodeJS.Timeout | null = null;
  let closed = false;
  const enqueue = createQueryQueue();

  async function connect(): Promise<Client> {
    const fresh = new Client(clientConfig(connection));
    fresh.on('error', () => onConnectionLost(fresh));
    fresh.on('end', () => onConnectionLost(fresh));
    fresh.on('notification', ({ channel, payload = '' }) => deliver(channel, payload));
    try {
      await fresh.connect();
      for (const channel of channels.keys()) await enqueue(fresh, `LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      fresh.end().catch(() => undefined);
      throw error;
    }
    client = fresh;
    retryMs = MIN_RETRY_DELAY_MS;
    return fresh;
  }

  /** The connection, made when there is none; all callers share one attempt. */
  function connected(): Promise<Client> {
    if (client !== null) return Promise.resolve(client);
    return (connecting ??= connect().finally(() => (connecting = null)));
  }

  function onConnectionLost(which: Client): void {
    if (client !== which) return;
    client = null;
    which.end().catch(() => undefined);
    if (closed || channels.size === 0) return;
    log.warn({}, 'notification connection dropped; reconnecting');
    scheduleReconnect();
  }

  function scheduleReconnect(): void {
    if (retry !== null || closed) return;
    retry = setTimeout(() => {
      retry = null;
      connected().then(notifyGap, () => scheduleReconnect());
    }, retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_DELAY_MS);
  }

  function notifyGap(): void {
    // Copies: a listener may end its subscription or begin another.
    const all = Array.from(channels.values(), (subscriptions) => Array.from(subscriptions)).flat();
    for (const { onGap } of all) callSafely(() => onGap?.());
  }

  function deliver(channel: string, payload: string): void {
    for (const { onPayload } of Array.from(channels.get(channel) ?? [])) callSafely(() => onPayload(payload));
  }

  function callSafely(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'notification listener failed');
    }
  }

  /** Detects silently broken connections. */
  function startProbe(): void {
    probe ??= setInterval(() => {
      const probed = client;
      if (probed === null) return;
      const timeout = setTimeout(() => onConnectionLost(probed), PROBE_TIMEOUT_MS);
      enqueue(probed, 'SELECT 1').then(
        () => clearTimeout(timeout),
        () => {
          clearTimeout(timeout);
          onConnectionLost(probed);
        },
      );
    }, PROBE_INTERVAL_MS).unref();
  }

  return {
    async listen(channel, onPayload, onGap) {
      if (Buffer.byteLength(channel) > MAX_CHANNEL_BYTES)
        throw new RangeError(`A channel name has at most ${MAX_CHANNEL_BYTES} bytes: ${channel}`);
      const subscription: Subscription = { onPayload, onGap };
      const known = channels.get(channel);
      if (known === undefined) channels.set(channel, new Set([subscription]));
      else known.add(subscription);
      const stop = async () => {
        const subscriptions = channels.get(channel);
        if (!subscriptions?.delete(subscription) || subscriptions.size > 0) return;
        channels.delete(channel);
        if (client !== null) await enqueue(client, `UNLISTEN ${escapeIdentifier(channel)}`).catch(() => undefined);
      };
      try {
        // Repeated for a known channel too: the one who asked first may still be waiting.
        await enqueue(await connected(), `LISTEN ${escapeIdentifier(channel)}`);
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
