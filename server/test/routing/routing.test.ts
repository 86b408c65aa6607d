import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiEngine } from '../../src/adapters/engines/openai/index.ts';
import { type ChatRouter, type RouteRequest, createRouter } from '../../src/inference/routing/index.ts';
import type { Logger } from '../../src/kernel/log.ts';
import type { ChatBody, ChatEvent, ChatRun } from '../../src/ports/engine.ts';
import { type Behaviour, type ModelServer, plainStream, startModelServer } from '../fakes/model-server.ts';
import { join } from '../fixtures/streams/index.ts';

// Routing over real connections: the fake model servers listen on TCP.

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

const body: ChatBody = {
  request: { messages: [{ role: 'user', content: '안녕' }] },
  peek: () => undefined,
  encode: (edits) => [Buffer.from(JSON.stringify({ ...body.request, ...edits }))],
};

const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Asked {
  readonly events: ChatEvent[];
  readonly tried: string[];
  readonly run: ChatRun;
  readonly over: Promise<ChatEvent>;
}

interface House {
  readonly fakes: readonly ModelServer[];
  readonly router: ChatRouter;
  ask(call?: Partial<RouteRequest['call']>): Asked;
}

/** As many addresses of one engine as `count`, or one each of as many engines with rising priority numbers. */
async function house(
  count: number,
  {
    ranked = false,
    maxConnections = 100,
    change = {},
  }: { ranked?: boolean; maxConnections?: number; change?: Partial<typeof limits> } = {},
): Promise<House> {
  const fakes = await Promise.all(Array.from({ length: count }, () => startModelServer()));
  const addresses = fakes.map((fake, i) => ({
    engine: createOpenAiEngine({ id: `e/${i}`, baseUrl: fake.url, dialect: 'vllm', maxConnections, log: silent }),
    weight: 1,
  }));
  const names = ranked ? addresses.map((_, i) => `e${i}`) : ['e'];
  const engines = new Map(ranked ? addresses.map((address, i) => [`e${i}`, [address]]) : [['e', addresses]]);
  const router = createRouter({ engines, limits: { ...limits, ...change }, log: silent });
  open.push(router, ...addresses.map(({ engine }) => engine), ...fakes);
  const bindings = names.map((engine, priority) => ({ engine, model: 'served', weight: 1, priority }));
  return {
    fakes,
    router,
    ask(call = {}) {
      const events: ChatEvent[] = [];
      const tried: string[] = [];
      const { promise: over, resolve } = Promise.withResolvers<ChatEvent>();
      const run = router.run(
        {
          modelId: 'M',
          bindings,
          choices: 1,
          mayRetry: () => true,
          onTarget: (id) => tried.push(id),
          call: { requestId: 'r', stream: true, body, thinking: null, maxTokens: null, contextLength: 8192, ...call },
        },
        (event) => {
          events.push(event);
          if (event.type === 'end' || event.type === 'error') resolve(event);
        },
      );
      return { events, tried, run, over };
    },
  };
}

const fakeAt = ({ fakes }: House, i: number): ModelServer => {
  const fake = fakes[i];
  if (!fake) throw new Error(`No fake ${i}`);
  return fake;
};

const status = (code: number, headers: Record<string, string> = {}): Behaviour => ({
  do: 'reply',
  status: code,
  body: {},
  headers,
});

describe('a call falls back before its first event', () => {
  it.each<[string, Behaviour]>([
    ['is overloaded', status(503)],
    ['asks for patience', status(429, { 'retry-after': '9' })],
    ['crashes', status(500)],
    ['lacks the model', status(404)],
    ['resets the connection', { do: 'reset' }],
    ['answers with a page', { do: 'reply', body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['ends without a token', { do: 'stream', body: 'data: [DONE]\n\n' }],
  ])('when the first server %s', async (_name, behaviour) => {
    const home = await house(2, { ranked: true });
    fakeAt(home, 0).always(behaviour);
    const asked = home.ask();
    await asked.over;
    expect(join(asked.events).choices[0]?.content).toBe('안녕하세요.');
    expect(asked.tried).toEqual(['e/0', 'e/1']);
    expect(fakeAt(home, 1).requests[0]?.json['model']).toBe('served');
  });

  it('when the first server is not there, or silent for too long', async () => {
    const home = await house(3, { ranked: true, change: { first_token_ms: 150 } });
    await fakeAt(home, 0).refuse();
    fakeAt(home, 1).always({ do: 'hang', before: 'first-token' });
    const asked = home.ask();
    expect((await asked.over).type).toBe('end');
    expect(asked.tried).toEqual(['e/0', 'e/1', 'e/2']);
    expect(await fakeAt(home, 1).requests[0]?.aborted).toBeGreaterThan(0);
  });

  it('and never after it', async () => {
    const home = await house(2, { ranked: true });
    const stream = plainStream(['가', '나']);
    fakeAt(home, 0).always({ do: 'stream', body: stream.slice(0, stream.indexOf('나')), ending: 'reset', delayMs: 20 });
    const asked = home.ask();
    expect(await asked.over).toMatchObject({ type: 'error', error: { kind: 'unavailable' } });
    expect(asked.tried).toEqual(['e/0']);
  });

  it('and never when the request is wrong', async () => {
    const home = await house(2, { ranked: true });
    fakeAt(home, 0).always({ do: 'reply', status: 400, body: { error: { message: 'too long', code: 400 } } });
    const asked = home.ask();
    expect(await asked.over).toMatchObject({ error: { kind: 'refused', detail: 'too long' } });
    expect(asked.tried).toEqual(['e/0']);
  });

  it('but wrong credentials at the only address are not tried twice', async () => {
    const home = await house(1);
    fakeAt(home, 0).always(status(401));
    const asked = home.ask();
    expect(await asked.over).toMatchObject({ error: { kind: 'unavailable', status: 401 } });
    expect(asked.tried).toHaveLength(1);
  });
});

describe('a server that fails', () => {
  it('is left alone, and gets calls again once it is well', async () => {
    const home = await house(2);
    const bad = fakeAt(home, 0);
    bad.always(status(500));
    for (let i = 0; i < 20; i++) expect((await home.ask().over).type).toBe('end');
    expect(bad.requests.length).toBeLessThan(6);
    expect(home.router.states()[0]).toMatchObject({ cooling: true, inFlight: 0 });
    const seen = bad.requests.length;
    bad.always({ do: 'stream', body: plainStream(['다시']) });
    while (bad.requests.length === seen) {
      await home.ask().over;
      await sleep(20);
    }
    while (home.router.states()[0]?.cooling) await sleep(20);
  });

  it.each([429, 503])('and asks by %i to retry later is asked before only where it is the only one', async (code) => {
    const [alone, home] = await Promise.all([house(1), house(2, { ranked: true })]);
    for (const { fakes } of [alone, home]) fakes[0]?.next(status(code, { 'retry-after': '30' }));
    expect(await alone.ask().over).toMatchObject({ error: { status: code, retryAfterSeconds: 30 } });
    expect(await alone.ask().over).toMatchObject({ type: 'end' });
    for (let i = 0; i < 3; i++) expect(await home.ask().over).toMatchObject({ type: 'end' });
    expect(home.fakes.map(({ requests }) => requests.length)).toEqual([1, 3]);
  });

  it('is tried by one call at a time after its pause', async () => {
    const home = await house(2);
    const bad = fakeAt(home, 0);
    bad.always(status(500));
    while (!home.router.states()[0]?.cooling) await home.ask().over;
    while (home.router.states()[0]?.cooling) await sleep(10);
    bad.always({ do: 'hang', before: 'headers' });
    const seen = bad.requests.length;
    const calls = Array.from({ length: 8 }, () => home.ask());
    await Promise.all(calls.filter(({ tried }) => tried[0] === 'e/1').map(({ over }) => over));
    expect(bad.requests.length - seen).toBe(1);
    for (const { run } of calls) run.abort();
  });
});

it('a whole reply may take longer than the first token of a stream', async () => {
  const home = await house(1, { change: { first_token_ms: 60, between_tokens_ms: 60, total_ms: 400 } });
  fakeAt(home, 0).always({ do: 'hang', before: 'headers' });
  expect(await home.ask({ stream: false }).over).toMatchObject({ error: { kind: 'timeout', limit: 'total' } });
});

it('silence within a stream ends it, and the server sees that', async () => {
  const home = await house(1, { change: { between_tokens_ms: 100 } });
  const stream = plainStream(['가', '나']);
  fakeAt(home, 0).always({ do: 'stream', body: stream.slice(0, stream.indexOf('나')), ending: 'hang' });
  expect(await home.ask().over).toMatchObject({ error: { kind: 'timeout', limit: 'between_tokens' } });
  expect(await fakeAt(home, 0).requests[0]?.aborted).toBeGreaterThan(0);
});

describe('a caller that goes', () => {
  const slow: Behaviour = {
    do: 'stream',
    body: plainStream(Array.from({ length: 300 }, () => '가')),
    cuts: Array.from({ length: 300 }, (_, i) => i * 180),
    delayMs: 5,
  };

  it.each<[string, Behaviour, number]>([
    ['before the headers', { do: 'hang', before: 'headers' }, 0],
    ['before the first token', { do: 'hang', before: 'first-token' }, 0],
    ['within the stream', slow, 2],
  ])('%s stops the server at once', async (_name, behaviour, events) => {
    const home = await house(1);
    fakeAt(home, 0).always(behaviour);
    const asked = home.ask();
    const request = await fakeAt(home, 0).nextRequest();
    while (asked.events.length < events) await sleep(1);
    asked.run.abort();
    const seen = asked.events.length;
    expect(await request.aborted).toBeGreaterThan(0);
    expect(asked.events).toHaveLength(seen);
    expect(home.router.states()[0]).toMatchObject({ inFlight: 0, failed: 0 });
  });

  it('while its call waits for others to end is never sent', async () => {
    const home = await house(1, { maxConnections: 1 });
    const fake = fakeAt(home, 0);
    fake.next({ do: 'hang', before: 'headers' });
    const first = home.ask();
    await fake.nextRequest();
    const second = home.ask();
    second.run.abort();
    const third = home.ask();
    first.run.abort();
    expect((await third.over).type).toBe('end');
    expect(fake.requests).toHaveLength(2);
  });
});

it('calls are shared among addresses by weight and load', async () => {
  const home = await house(3);
  for (const fake of home.fakes) fake.always({ do: 'hang', before: 'headers' });
  const calls = Array.from({ length: 30 }, () => home.ask());
  expect(home.router.states().map(({ inFlight }) => inFlight)).toEqual([10, 10, 10]);
  for (const { run } of calls) run.abort();
  expect(home.router.states().map(({ inFlight }) => inFlight)).toEqual([0, 0, 0]);
});
