import { randomBytes } from 'node:crypto';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Bus } from '../../ports/bus.ts';
import { openRedis, type RedisClient } from './redis-connection.ts';

interface Outgoing {
  readonly channel: string;
  readonly text: string;
}

interface Subscription {
  readonly listener: (payload: unknown) => void;
  readonly onGap: (() => void) | undefined;
}

interface Channel {
  readonly subscriptions: Set<Subscription>;
  /** One for each channel: the client knows it again when it is given a second time. */
  readonly onMessage: (text: string) => void;
}

/** Source: the Bus port. */
const MAX_PAYLOAD_BYTES = 7_000;
/** Messages that are sent before their answers are waited for. */
const MAX_BATCH = 200;
/** Messages that wait for a Redis that is away; further ones are refused. */
const MAX_WAITING = 10_000;
/** Senders of which the last number is known. */
const MAX_SENDERS = 1_000;

const ignore = () => undefined;

export interface RedisBusOptions {
  /** redis:// or rediss:// */
  readonly url: string;
  /** What the names of the channels begin with; processes with the same prefix receive each other's messages. */
  readonly prefix: string;
  readonly log: Logger;
}

/**
 * The bus over SUBSCRIBE and PUBLISH. While Redis is away messages wait here and `publish` resolves: they are sent, in
 * order, once it is reachable again, and subscribers are notified of the gap. Resolves even when Redis is unreachable.
 */
export async function openRedisBus({ url, prefix, log }: RedisBusOptions): Promise<Bus> {
  const sender = randomBytes(6).toString('base64url');
  const channels = new Map<string, Channel>();
  const lastNumberOf = new Map<string, number>();
  const waiting: Outgoing[] = [];
  let sending: Promise<void> | null = null;
  let number = 0;
  let closed = false;

  const redis = await openRedis({
    url,
    log,
    // A trial of both, as a user of Redis may be forbidden either.
    async prepare(client) {
      await client.subscribe(`${prefix}bus:trial`, ignore);
      await client.publish(`${prefix}bus:trial`, '');
    },
    onReady: () => void resubscribe(),
    logMessages: {
      lost: 'Redis unavailable; bus messages are queued',
      restored: 'Redis reachable again; bus messages are delivered',
    },
  });

  const nameOf = (channel: string) => `${prefix}bus:${channel}`;
  const listen = (client: RedisClient, channel: string, { onMessage }: Channel) =>
    client.subscribe(nameOf(channel), onMessage);

  /** Deduplicates messages that were resent because their reply was lost. */
  function isNew(mark: string): boolean {
    const [from = '', n = ''] = mark.split('.');
    const count = Number.parseInt(n, 36);
    if (count <= (lastNumberOf.get(from) ?? -1)) return false;
    lastNumberOf.delete(from);
    lastNumberOf.set(from, count);
    if (lastNumberOf.size > MAX_SENDERS) for (const oldest of lastNumberOf.keys()) return lastNumberOf.delete(oldest);
    return true;
  }

  function createChannel(): Channel {
    const subscriptions = new Set<Subscription>();
    const onMessage = (text: string) => {
      const end = text.indexOf(':');
      if (!isNew(text.slice(0, end))) return;
      for (const { listener } of Array.from(subscriptions)) callSafely(() => listener(JSON.parse(text.slice(end + 1))));
    };
    return { subscriptions, onMessage };
  }

  function callSafely(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'bus listener failed');
    }
  }

  /** After a reconnect: resubscribes to all channels, reports the gap, and sends queued messages. */
  async function resubscribe(): Promise<void> {
    try {
      await redis.run((client) =>
        Promise.all(Array.from(channels, ([name, channel]) => listen(client, name, channel))),
      );
    } catch {
      return;
    }
    for (const { subscriptions } of Array.from(channels.values()))
      for (const { onGap } of Array.from(subscriptions)) callSafely(() => onGap?.());
    send();
  }

  function send(): void {
    sending ??= drain().finally(() => (sending = null));
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      const results = await redis
        .run((client) => Promise.allSettled(batch.map(({ channel, text }) => client.publish(nameOf(channel), text))))
        .catch(() => []);
      const failed = results.findIndex(({ status }) => status === 'rejected');
      waiting.splice(0, results.length === 0 || failed < 0 ? results.length : failed);
      if (results.length < batch.length || failed >= 0) return;
    }
  }

  return {
    async publish(channel, payload) {
      const json = JSON.stringify(payload) ?? 'null';
      if (closed) throw new StudioError('unavailable', 'The bus is closed.');
      if (Buffer.byteLength(json) > MAX_PAYLOAD_BYTES)
        throw new RangeError(`A message of the bus has at most ${MAX_PAYLOAD_BYTES} bytes.`);
      if (waiting.length >= MAX_WAITING) throw new StudioError('unavailable', 'Too many messages wait for Redis.');
      waiting.push({ channel, text: `${sender}.${(number++).toString(36)}:${json}` });
      send();
      await sending;
    },
    async subscribe(name, listener, onGap) {
      const subscription: Subscription = { listener, onGap };
      const channel = channels.get(name) ?? createChannel();
      channels.set(name, channel);
      channel.subscriptions.add(subscription);
      // Where Redis is away it is heard, and told of a gap, once it is back. The channel is left subscribed at the end: there
      // are few, and the next subscription need not wait.
      await redis.run((client) => listen(client, name, channel)).catch(() => undefined);
      return () => Promise.resolve(void channel.subscriptions.delete(subscription));
    },
    async close() {
      closed = true;
      await sending;
      await redis.close();
      channels.clear();
    },
  };
}
