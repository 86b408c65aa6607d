import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey, studio } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { freshDatabase, type FreshDatabase } from '../support/postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { type Service, startService } from '../support/service.ts';

// Two machines on one database and one Redis: one of them with a process, the other with two.

let redis: TestRedis;
let database: FreshDatabase;
let databaseUrl: string;
let services: readonly [Service, Service];

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), freshDatabase()]);
  const { host, port, user, password, database: name } = database.connection;
  databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  services = await startBoth();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await database.close();
  await redis.close();
});

async function startBoth(more: Readonly<Record<string, string>> = {}): Promise<readonly [Service, Service]> {
  const config = { probe: { enabled: false }, secret_key: 'of all machines', log: { format: 'json' } };
  const env = { STUDIO_DATABASE_URL: databaseUrl, STUDIO_REDIS_URL: redis.url, ...more };
  const first = await startService({ config, env });
  return [first, await startService({ config: { ...config, server: { workers: 2 } }, env })];
}

/** Makes a key, deletes it from the command line with Redis as it is said, and asks every process with it. */
async function refusedOnceDeleted(machines: readonly Service[], how: 'here' | 'away'): Promise<void> {
  const { id, value } = await newKey();
  const statuses = async () => {
    const seen = new Set<number>();
    for (const service of machines)
      for (let i = 0; i < 4; i++)
        seen.add((await call(service, '/v1/models', { key: value, headers: { connection: 'close' } })).status);
    return [...seen];
  };
  expect(await statuses()).toEqual([200]);
  if (how === 'away') await redis.kill();
  await studio(services[0], 'key', 'delete', id, `--database.url=${databaseUrl}`);
  expect(await statuses()).toEqual([401]);
  if (how === 'away') await redis.start();
}

/** How many of these calls each machine lets pass; the others are 429. Each call has a connection of its own. */
async function passed(key: string, calls: number): Promise<number[]> {
  return Promise.all(
    services.map(async (service) => {
      const replies = await Promise.all(
        Array.from({ length: calls }, () => call(service, '/v1/models', { key, headers: { connection: 'close' } })),
      );
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    }),
  );
}
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
const newKey = () => makeKey(services[0], { requestsPerMinute: 10 });

interface Readiness {
  readonly status: string;
  readonly degraded: readonly { readonly name: string; readonly reason: string }[];
}
const readiness = async (service: Service) => {
  const reply = await call(service, '/readyz', { key: null });
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as Readiness;
};
const degraded = async (how: boolean) => {
  for (const service of services)
    for (let i = 0; i < 4; i++)
      await eventually(async () =>
        expect((await readiness(service)).degraded.map(({ name }) => name)).toEqual(how ? ['redis'] : []),
      );
};
/** The figure for Prometheus of each machine, whichever process answers. */
const countsHere = async (figure: number) => {
  for (const service of services)
    await eventually(async () => {
      const { text } = await call(service, '/metrics', { key: null });
      expect(/^studio_rate_limits_local (\d)$/m.exec(text)?.[1]).toBe(String(figure));
    });
};
const times = (service: Service, text: string) => service.output().split(text).length - 1;

test('machines share the limit of a key; without Redis nobody is refused for it, and it comes back by itself', async () => {
  const [one, two, three] = await Promise.all([newKey(), newKey(), newKey()]);
  await degraded(false);
  await countsHere(0);
  expect(sum(await passed(one.value, 15))).toBe(10);

  await redis.kill();
  // Each machine counts for itself, however many processes it has.
  expect(await passed(two.value, 15)).toEqual([10, 10]);
  await degraded(true);
  await countsHere(1);
  const { status, degraded: parts } = await readiness(services[0]);
  expect(status).toBe('ok');
  expect(parts[0]?.reason).not.toMatch(/\d+\.\d+\.\d+/);

  await redis.start();
  await degraded(false);
  await countsHere(0);
  expect(sum(await passed(three.value, 15))).toBe(10);
  expect(times(services[0], 'Redis cannot be used')).toBe(1);
  expect(times(services[0], 'Redis is back')).toBe(1);
  expect(services.map((service) => service.output()).join('')).not.toContain('test-password');
});

test('a deleted key is refused by every machine while Redis is away', async () => {
  covers('auth.key.deleted-every-process');
  await refusedOnceDeleted(services, 'away');
});

test('the doctor looks at Redis, and shows no password', async () => {
  const look = () =>
    studio(services[0], 'doctor', `--redis.url=${redis.url}`, `--database.url=${databaseUrl}`, '--probe.enabled=false');
  expect(await look()).toContain(`✔ Redis: 127.0.0.1:${redis.port} counts rate limits for all machines`);
  await redis.kill();
  const away = await look();
  expect(away).toContain(`! Redis: 127.0.0.1:${redis.port} cannot be used:`);
  expect(away).not.toContain('test-password');
  await redis.start();
});

test('with the bus on Redis, too, a deleted key is refused by every machine, also while Redis is away', async () => {
  covers('auth.key.deleted-every-process');
  const bound = await startBoth({ STUDIO_REDIS_BUS: 'true', STUDIO_REDIS_PREFIX: 'bound:' });
  try {
    expect(await redis.send(['PUBSUB', 'CHANNELS', 'bound:bus:*'])).toContain('bound:bus:');
    await refusedOnceDeleted(bound, 'here');
    await refusedOnceDeleted(bound, 'away');
  } finally {
    await Promise.all(bound.map((service) => service.close()));
  }
});
