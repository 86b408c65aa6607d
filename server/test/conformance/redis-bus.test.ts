import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRedisBus } from '../../src/adapters/distributed/redis-bus.ts';
import type { Bus } from '../../src/ports/bus.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { busConformance } from './bus.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

const open = (prefix = 'studio:') => openRedisBus({ url: redis.url, prefix, log: silent });

busConformance('Redis', () => {
  const opened: Bus[] = [];
  return Promise.resolve({
    open: async () => {
      const bus = await open();
      opened.push(bus);
      return bus;
    },
    cut: async () => void (await redis.send(['CLIENT', 'KILL', 'TYPE', 'pubsub'])),
    close: async () => void (await Promise.all(opened.map((bus) => bus.close()))),
  });
});

test('installations with prefixes of their own do not hear each other', async () => {
  const [here, there] = await Promise.all([open('a:'), open('b:')]);
  const heard: unknown[] = [];
  await there.subscribe('x', (payload) => heard.push(payload));
  await here.publish('x', 1);
  await there.publish('x', 2);
  await eventually(() => expect(heard).toEqual([2]));
  await Promise.all([here.close(), there.close()]);
});

test('what is said while Redis is away is heard once it is back, in order and once, after the gap was told', async () => {
  const [here, there] = await Promise.all([open(), open()]);
  const heard: unknown[] = [];
  await there.subscribe(
    'away',
    (payload) => heard.push(payload),
    () => heard.push('gap'),
  );
  await here.publish('away', 0);
  await eventually(() => expect(heard).toEqual([0]));
  await redis.kill();
  for (let n = 1; n <= 300; n++) await here.publish('away', n);
  // One that begins now starts all the same.
  const late = await open();
  const heardLate: unknown[] = [];
  await late.subscribe(
    'away',
    (payload) => heardLate.push(payload),
    () => heardLate.push('gap'),
  );
  await redis.start();
  await eventually(() => expect(heardLate).toContain('gap'));
  await eventually(() => expect(heard).toContain('gap'));
  await here.publish('away', 'last');
  await eventually(() => expect(heard.at(-1)).toBe('last'));
  const numbers = heard.filter((one) => typeof one === 'number');
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  await eventually(() => expect(heardLate.at(-1)).toBe('last'));
  await Promise.all([here.close(), there.close(), late.close()]);
});

test('a message that is sent again, as Redis was silent, is heard once', async () => {
  const [here, there] = await Promise.all([open(), open()]);
  const heard: unknown[] = [];
  await there.subscribe('again', (payload) => heard.push(payload));
  redis.hang();
  await Promise.all([1, 2, 3].map((n) => here.publish('again', n)));
  redis.goOn();
  // Through the first connection by now; through the second one with this.
  await eventually(() => expect(heard.length).toBeGreaterThan(2));
  await here.publish('again', 'last');
  await eventually(() => expect(heard.at(-1)).toBe('last'));
  expect(heard).toEqual([1, 2, 3, 'last']);
  await Promise.all([here.close(), there.close()]);
});
