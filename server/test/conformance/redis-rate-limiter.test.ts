import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisRateLimiter, type RedisRateLimiter } from '../../src/adapters/distributed/redis-rate-limiter.ts';
import { createMemoryRateLimiter } from '../../src/adapters/embedded/memory-rate-limiter.ts';
import type { Logger } from '../../src/kernel/log.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/postgres.ts';
import { limits, request, tokens } from '../support/rate-limits.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { rateLimiterConformance } from './rate-limiter.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

let made = 0;
const open = (options: { prefix: string; now?: () => number; log?: Logger; url?: string }) =>
  openRedisRateLimiter({
    url: redis.url,
    log: silent,
    fallback: createMemoryRateLimiter(options.now ?? Date.now),
    ...options,
  });

rateLimiterConformance('in Redis', async () => {
  let now = 1_000_000;
  const limiter = await open({ prefix: `conformance-${made++}:`, now: () => now });
  expect(limiter.unavailableReason()).toBe(null);
  return { limiter, pass: (ms) => (now += ms) };
});

const own = limits(10);

describe('a limiter in Redis', () => {
  test('several share one count by the clock of Redis, and another prefix has its own', async () => {
    const limiters = await Promise.all([open({ prefix: 'shared:' }), open({ prefix: 'shared:' })]);
    const other = await open({ prefix: 'other:' });
    const states = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => (limiters[i % 2] as RedisRateLimiter).reserve('a', own, request(1))),
    );
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(10);
    expect(new Set(states.map(({ window }) => window)).size).toBe(1);
    expect(states[0]?.window).toBeGreaterThan(1.7e12);
    expect(await other.reserve('a', own, request(1))).toMatchObject({ allowed: true, remaining: 9 });
    await Promise.all([...limiters, other].map((one) => one.close()));
  });

  test('what it keeps is gone from Redis with the window', async () => {
    const limiter = await open({ prefix: 'ends:' });
    await limiter.reserve('a', own, request(1));
    await limiter.reserve('a', own, request(1));
    const left = Number((await redis.send(['PTTL', 'ends:rate:a'])).slice(1));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    await limiter.close();
  });

  const listening = () => {
    const lines: string[] = [];
    const note = (_fields: object, text: string) => void lines.push(text);
    return { lines, log: { ...silent, warn: note, info: note } as Logger };
  };

  const ways: [how: string, lose: () => Promise<unknown>, mend: () => Promise<unknown>][] = [
    ['killed', () => redis.kill(), () => redis.start()],
    ['silent', async () => redis.hang(), async () => redis.goOn()],
    [
      'without memory',
      () => redis.send(['CONFIG', 'SET', 'maxmemory', '1']),
      () => redis.send(['CONFIG', 'SET', 'maxmemory', '0']),
    ],
    ['without its scripts', () => redis.send(['SCRIPT', 'FLUSH']), () => Promise.resolve()],
  ];
  test.each(ways)(
    'a Redis that is %s refuses nobody, is told once, and counts again once it is back',
    async (how, lose, mend) => {
      const { lines, log } = listening();
      const limiter = await open({ prefix: `${how}:`, log });
      const first = await limiter.reserve('a', own, request(1));
      expect(first).toMatchObject({ allowed: true, remaining: 9 });
      await lose();
      const states = [];
      for (let i = 0; i < 12; i++) states.push(await limiter.reserve('b', own, request(1)));
      expect(states.map(({ allowed }) => allowed)).toEqual([...Array<boolean>(10).fill(true), false, false]);
      expect(limiter.unavailableReason()).not.toBe(null);
      // What was counted here is corrected here.
      limiter.settle('b', own, tokens(-1), (states[0] as { window: number }).window);
      limiter.settle('a', own, tokens(-1), first.window);
      await mend();
      await eventually(() => expect(limiter.unavailableReason()).toBe(null));
      expect(await limiter.reserve('c', own, request(1))).toMatchObject({ allowed: true, remaining: 9 });
      expect(lines).toEqual([
        'Redis cannot be used; this machine counts rate limits for itself until it is back',
        'Redis is back; rate limits are counted there',
      ]);
      expect(await redis.send(['EXISTS', `${how}:rate:c`])).toBe(':1\r\n');
      await limiter.close();
    },
  );

  test('a Redis that says nothing holds nobody up at the start', async () => {
    redis.hang();
    const limiter = await open({ prefix: 'start:' });
    expect(limiter.unavailableReason()).toBe('it does not answer');
    expect(await limiter.reserve('a', own, request(1))).toMatchObject({ allowed: true });
    redis.goOn();
    await eventually(() => expect(limiter.unavailableReason()).toBe(null));
    await limiter.close();
  });

  test('tokens that memory counted are corrected there', async () => {
    const perToken = limits(null, 100);
    const limiter = await open({ prefix: 'away:', url: 'redis://127.0.0.1:1' });
    const { window } = await limiter.reserve('a', perToken, request(80));
    limiter.settle('a', perToken, tokens(-70), window);
    expect(await limiter.reserve('a', perToken, request(80))).toMatchObject({ allowed: true, remaining: 10 });
    await limiter.close();
  });

  test('a user of Redis that may do what the guide lists and no more is enough', async () => {
    const may = ['script|load', 'evalsha', 'ping', 'select', 'time', 'hmget', 'hset', 'pexpire'].map(
      (one) => `+${one}`,
    );
    const rules = ['ACL', 'SETUSER', 'studio', 'reset', 'on', '>a-secret', '~acl:*', ...may];
    expect(await redis.send(rules)).toContain('OK');
    const url = `redis://studio:a-secret@127.0.0.1:${redis.port}/0`;
    const limiter = await open({ prefix: 'acl:', url });
    expect(limiter.unavailableReason()).toBe(null);
    const state = await limiter.reserve('a', own, request(1));
    expect(state.window).toBeGreaterThan(1.7e12);
    // Other keys are closed to it.
    const other = await open({ prefix: 'not-its-own:', url });
    expect(other.unavailableReason()).toMatch(/NOPERM/);
    await limiter.close();
    await other.close();
  });

  test('a wrong password is a Redis that cannot be used, and no text of it is told', async () => {
    const limiter = await open({ prefix: 'wrong:', url: `redis://:hunter2@127.0.0.1:${redis.port}` });
    expect(limiter.unavailableReason()).toMatch(/WRONGPASS|NOAUTH/);
    expect(limiter.unavailableReason()).not.toContain('hunter2');
    expect(await limiter.reserve('a', own, request(1))).toMatchObject({ allowed: true });
    await limiter.close();
    await limiter.close();
  });
});
