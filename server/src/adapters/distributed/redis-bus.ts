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
  readonly hear: (text: string) => void;
}

/** Source: the Bus port. */
const PAYLOAD_BYTES = 7_000;
/** Messages that are sent before their answers are waited for. */
const BATCH = 200;
/** Messages that wait for a Redis that is away; further ones are refused. */
const MAX_WAITING = 10_000;
/** Senders of which the last number is known. */
const MAX_SENDERS = 1_000;

const ignore = () => undefined;

export interface RedisBusOptions {
  /** redis:// or rediss:// */
  readonly url: string;
  /** What the names of the channels begin with; processes with the same one hear each other. */
  readonly prefix: string;
  readonly log: Logger;
}

/**
 * The bus over SUBSCRIBE and PUBLISH. While Redis is away messages wait here and `publish` resolves: they are sent, in
 * order, once it is back, and who could not hear is told of a gap. Resolves also where Redis is away.
 */
export async function openRedisBus({ url, prefix, log }: RedisBusOptions): Promise<Bus> {
  const sender = randomBytes(6).toString('base64url');
  const channels = new Map<string, Channel>();
  const lastOf = new Map<string, number>();
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
    onReady: () => void hearAgain(),
    words: {
      lost: 'Redis cannot be used; messages between the processes wait until it is back',
      back: 'Redis is back; messages between the processes go on',
    },
  });

  const nameOf = (channel: string) => `${prefix}bus:${channel}`;
  const listen = (client: RedisClient, channel: string, { hear }: Channel) => client.subscribe(nameOf(channel), hear);

  /** A message that was sent again, as its answer was lost, is heard once. */
  function isNew(mark: string): boolean {
    const [from = '', n = ''] = mark.split('.');
    const count = Number.parseInt(n, 36);
    if (count <= (lastOf.get(from) ?? -1)) return false;
    lastOf.delete(from);
    lastOf.set(from, count);
    if (lastOf.size > MAX_SENDERS) for (const oldest of lastOf.keys()) return lastOf.delete(oldest);
    return true;
  }

  function createChannel(): Channel {
    const subscriptions = new Set<Subscription>();
    const hear = (text: string) => {
      const end = text.indexOf(':');
      if (!isNew(text.slice(0, end))) return;
      for (const { listener } of Array.from(subscriptions)) guard(() => listener(JSON.parse(text.slice(end + 1))));
    };
    return { subscriptions, hear };
  }

  function guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'A listener of messages failed');
    }
  }

  /** After a connection was made anew: hears all channels, tells of the gap, and sends what waits. */
  async function hearAgain(): Promise<void> {
    try {
      await redis.ask((client) =>
        Promise.all(Array.from(channels, ([name, channel]) => listen(client, name, channel))),
      );
    } catch {
      return;
    }
    for (const { subscriptions } of Array.from(channels.values()))
      for (const { onGap } of Array.from(subscriptions)) guard(() => onGap?.());
    send();
  }

  function send(): void {
    sending ??= drain().finally(() => (sending = null));
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      const ends = await redis
        .ask((client) => Promise.allSettled(batch.map(({ channel, text }) => client.publish(nameOf(channel), text))))
        .catch(() => []);
      const failed = ends.findIndex(({ status }) => status === 'rejected');
      waiting.splice(0, ends.length === 0 || failed < 0 ? ends.length : failed);
      if (ends.length < batch.length || failed >= 0) return;
    }
  }

  return {
    async publish(channel, payload) {
      const json = JSON.stringify(payload) ?? 'null';
      if (closed) throw new StudioError('unavailable', 'The bus is closed.');
      if (Buffer.byteLength(json) > PAYLOAD_BYTES)
        throw new RangeError(`A message of the bus has at most ${PAYLOAD_BYTES} bytes.`);
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
      await redis.ask((client) => listen(client, name, channel)).catch(() => undefined);
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
