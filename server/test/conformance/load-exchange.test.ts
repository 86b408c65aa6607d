import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRedisLoads } from '../../src/adapters/distributed/redis-loads.ts';
import { createRouter } from '../../src/inference/index.ts';
import type { Engine } from '../../src/ports/engine.ts';
import type { LoadExchange } from '../../src/ports/load-exchange.ts';
import { eventually } from '../support/eventually.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { silent } from '../support/silent-log.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

async function open(prefix: string, fallback: LoadExchange | null = null): Promise<LoadExchange> {
  const loads = await openRedisLoads({ url: redis.url, prefix, fallback, log: silent });
  onTestFinished(() => loads.close());
  return loads;
}

test('each process is told the sum of what all others have under way, of its own installation alone', async () => {
  const [a, b, c, foreign] = [await open('one:'), await open('one:'), await open('one:'), await open('two:')];
  expect(await foreign.exchange(new Map([['http://x', 9]]))).toEqual(new Map());
  expect(await a.exchange(new Map([['http://x', 2]]))).toEqual(new Map());
  expect(
    await b.exchange(
      new Map([
        ['http://x', 1],
        ['http://y', 4],
      ]),
    ),
  ).toEqual(new Map([['http://x', 2]]));
  expect(await c.exchange(new Map())).toEqual(
    new Map([
      ['http://x', 3],
      ['http://y', 4],
    ]),
  );
  expect(await a.exchange(new Map())).toEqual(
    new Map([
      ['http://x', 1],
      ['http://y', 4],
    ]),
  );
  expect(await b.exchange(new Map())).toEqual(new Map());
});

test('what a process said is forgotten where it does not say it again, and what is no count is none', async () => {
  const [alive, gone] = [await open('forget:'), await open('forget:')];
  await gone.exchange(new Map([['http://x', 7]]));
  expect(await alive.exchange(new Map())).toEqual(new Map([['http://x', 7]]));
  // As if it had been said a while ago.
  await redis.send(['DEL', 'forget:loads']);
  await redis.send(['HSET', 'forget:loads', 'old', '1000 [["http://x",7]]', 'odd', 'nonsense']);
  expect(await alive.exchange(new Map())).toEqual(new Map());
  expect(await redis.send(['HGETALL', 'forget:loads'])).toBe('*0\r\n');
});

const engine = (id: string): Engine => ({
  id,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: () => Promise.resolve({ ok: true, reason: null }),
  models: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});

/** A process that routes over two addresses. */
async function openProcess(prefix: string) {
  const addresses = [0, 1].map((at) => ({ engine: engine(`e/${at}`), weight: 1, url: `http://engine-${at}` }));
  const loads = await open(prefix);
  const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
  const router = createRouter({ engines: new Map([['e', addresses]]), limits, log: silent, loads });
  onTestFinished(() => router.close());
  const bindings = [{ engine: 'e', weight: 1, priority: 0 }];
  const call = () => {
    const over = Promise.withResolvers<null>();
    const begun = Promise.withResolvers<string>();
    const signal = new AbortController().signal;
    const done = router.call({ requestId: 'r', modelId: 'm', bindings, signal }, (one) => {
      begun.resolve(one.id);
      return over.promise;
    });
    return { engine: begun.promise, end: async () => (over.resolve(null), done) };
  };
  const elsewhere = () => router.states().map((state) => state.elsewhere);
  return { router, call, elsewhere };
}

test('two machines spread their calls together, and each goes by its own counts while Redis is away', async () => {
  const [a, b] = [await openProcess('machines:'), await openProcess('machines:')];
  const first = a.call();
  const busy = Number((await first.engine).slice(-1));
  await eventually(() => {
    expect(b.elsewhere()).toEqual(busy === 0 ? [1, 0] : [0, 1]);
  });
  // The other machine has nothing under way by itself: by its own counts both are idle.
  for (let i = 0; i < 5; i++) {
    const next = b.call();
    expect(await next.engine).toBe(`e/${1 - busy}`);
    await next.end();
  }
  redis.hang();
  await eventually(() => {
    expect(b.elsewhere()).toEqual([0, 0]);
  });
  const alone = b.call();
  await alone.engine;
  await alone.end();
  redis.goOn();
  await eventually(async () => {
    await b.router.refreshLoads();
    expect(b.elsewhere()[busy]).toBe(1);
  });
  await first.end();
  await eventually(async () => {
    await b.router.refreshLoads();
    expect(b.elsewhere()).toEqual([0, 0]);
  });
});

test('while Redis is away the processes of one machine still share', async () => {
  const fallback: LoadExchange = {
    exchange: () => Promise.resolve(new Map([['http://here', 3]])),
    close: () => Promise.resolve(),
  };
  const url = 'redis://:x@127.0.0.1:1';
  const loads = await openRedisLoads({ url, prefix: 'p:', fallback, log: silent });
  onTestFinished(() => loads.close());
  expect(await loads.exchange(new Map())).toEqual(new Map([['http://here', 3]]));
});
