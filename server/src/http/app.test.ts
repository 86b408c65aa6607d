import { afterEach, describe, expect, test } from 'vitest';
import { createFailures } from '../http-kit/failures.ts';
import type { HttpExchange } from '../http-kit/http-exchange.ts';
import { NodeExchange } from '../http-kit/node-exchange.ts';
import type { Logger } from '../kernel/log.ts';
import { type App, type AppOptions, createApp } from './app.ts';
import { createCors } from './cors.ts';
import { Client, request } from './front/front.fixture.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const PLAYGROUND = '/console/api/chat/completions';

let app: App | null = null;
const seen: HttpExchange[] = [];
afterEach(async () => {
  await app?.close(0);
  seen.length = 0;
});

/** A service whose hot routes note who asks, and answer when they are told to. */
async function start(options: Partial<AppOptions> = {}): Promise<number> {
  const handler = (exchange: HttpExchange) => {
    exchange.listen({ closed: () => undefined, drained: () => undefined });
    seen.push(exchange);
  };
  app = createApp({
    failures: createFailures(silent),
    onRejected: () => undefined,
    hot: { '/chat/completions': handler },
    hotPaths: { [PLAYGROUND]: handler },
    maxJsonBytes: 1_000,
    maxHotBytes: 1_000,
    trustProxy: false,
    ...options,
  });
  app.fastify.get('/v1/models', () => ({ object: 'list' }));
  app.fastify.get('/console/api/me', () => ({}));
  return app.listen('127.0.0.1', 0);
}
const answer = (exchange: HttpExchange | undefined) => exchange?.reply(200, ['Content-Length', '2'], '{}');

test('plain requests to hot routes go past node:http, below every prefix; those of the console do not', async () => {
  const port = await start();
  const paths = ['/v1/chat/completions', '/api/v1/chat/completions', '/v1/chat/completions/', PLAYGROUND];
  for (const [at, path] of paths.entries()) {
    const client = new Client(port);
    client.send(request('{}', [], path));
    await expect.poll(() => seen).toHaveLength(at + 1);
    answer(seen[at]);
    await expect.poll(() => client.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\{\}$/);
  }
  expect(seen.map((exchange) => exchange instanceof NodeExchange)).toEqual([false, false, false, true]);
});

test('a stop lets what was asked finish, closes its connection, and all that wait for nothing', async () => {
  const port = await start();
  const [silentOne, kept, busy] = [new Client(port), new Client(port), new Client(port)];
  kept.send(request('{}'));
  await expect.poll(() => seen).toHaveLength(1);
  answer(seen[0]);
  await expect.poll(() => kept.text).toContain('{}');
  busy.send(request('{}'));
  await expect.poll(() => seen).toHaveLength(2);
  const closed = app?.close(60_000);
  await expect.poll(() => kept.isClosed && silentOne.isClosed).toBe(true);
  expect(busy.isClosed).toBe(false);
  answer(seen[1]);
  await closed;
  await expect.poll(() => busy.text).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n[^]*\{\}$/);
  await expect.poll(() => busy.isClosed).toBe(true);
});

test('a stop ends what takes longer than it may', async () => {
  const port = await start();
  const client = new Client(port);
  client.send(request('{}'));
  await expect.poll(() => seen).toHaveLength(1);
  let isTerminated = false;
  await app?.close(20, () => (isTerminated = true));
  expect(isTerminated).toBe(true);
  await expect.poll(() => client.isClosed).toBe(true);
});

/** Calls as a page of an origin, or without one. */
const callAs = (port: number, path: string, origin: string | null, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { ...(origin === null ? {} : { origin }), ...(init.headers as Record<string, string> | undefined) },
  });
const PAGE = 'https://app.example.kr';
const allowOrigin = (response: Response) => response.headers.get('access-control-allow-origin');

describe('a path that nothing takes', () => {
  test('is told as such, whatever type its body has', async () => {
    const port = await start();
    const json = { headers: { 'content-type': 'application/json' } };
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH']) {
      const missing = await callAs(port, '/v1/nothing', null, { method, ...json });
      expect([method, missing.status]).toEqual([method, 404]);
      const wrong = await callAs(port, '/v1/models', null, { method, ...json });
      expect([method, wrong.status, wrong.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
      expect(await wrong.json()).toMatchObject({ error: { type: 'invalid_request_error', code: '405' } });
    }
    const broken = await callAs(port, '/v1/nothing', null, { method: 'POST', body: '{', ...json });
    expect(broken.status).toBe(404);
    const get = await callAs(port, '/v1/chat/completions', null, json);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('says by OPTIONS which methods it takes', async () => {
    const port = await start();
    const options = (path: string) => callAs(port, path, PAGE, { method: 'OPTIONS' });
    const known = await options('/v1/chat/completions');
    expect([known.status, known.headers.get('allow'), allowOrigin(known)]).toEqual([204, 'POST, OPTIONS', null]);
    expect((await options('/v1/models')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await options('/v1/nothing')).status).toBe(404);
  });
});

describe('pages of other origins', () => {
  const preflight = (port: number, path: string, origin: string, names = 'authorization,content-type') =>
    callAs(port, path, origin, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': names },
    });

  test('may call by configuration alone, never with credentials, and never the console', async () => {
    const port = await start({ cors: createCors([PAGE]) });
    const asked = await preflight(port, '/v1/chat/completions', PAGE);
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
    expect(asked.headers.has('access-control-allow-credentials')).toBe(false);
    const names = await preflight(port, '/v1/models', PAGE, 'x-a, b c\u00e9');
    expect(names.headers.has('access-control-allow-headers')).toBe(false);

    const models = await callAs(port, '/v1/models', PAGE);
    expect([allowOrigin(models), models.headers.get('vary')]).toEqual([PAGE, 'Origin']);
    expect(models.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(models.headers.has('access-control-allow-credentials')).toBe(false);
    for (const path of ['/v1/nothing', '/v1/chat/completions'])
      expect(allowOrigin(await callAs(port, path, PAGE))).toBe(PAGE);

    const other = 'https://evil.example.kr';
    expect(allowOrigin(await preflight(port, '/v1/models', other))).toBeNull();
    const refused = await callAs(port, '/v1/models', other);
    expect([refused.status, allowOrigin(refused), refused.headers.get('vary')]).toEqual([200, null, 'Origin']);
    expect(allowOrigin(await callAs(port, '/v1/models', null))).toBeNull();
    expect(allowOrigin(await callAs(port, '/console/api/me', PAGE))).toBeNull();
    expect(allowOrigin(await preflight(port, '/console/api/me', PAGE))).toBeNull();
  });

  test('read replies of hot routes, whole and streamed, through the front and node:http', async () => {
    const port = await start({ cors: createCors([PAGE]) });
    const requests = [{ body: '{}' }, { body: '{}', headers: { expect: '' } }];
    for (const [at] of requests.entries()) {
      const client = new Client(port);
      client.send(request('{}', [`Origin: ${PAGE}`, ...(at === 1 ? ['Expect: 100-continue'] : [])]));
      await expect.poll(() => seen).toHaveLength(at + 1);
      answer(seen[at]);
      await expect.poll(() => client.text).toContain(`Access-Control-Allow-Origin: ${PAGE}`);
    }
    const client = new Client(port);
    client.send(request('{}', [`Origin: ${PAGE}`]));
    await expect.poll(() => seen).toHaveLength(3);
    seen[2]?.openStream(200, ['Content-Type', 'text/event-stream']);
    seen[2]?.write('data: 1');
    seen[2]?.end();
    await expect.poll(() => client.text).toMatch(new RegExp(`Access-Control-Allow-Origin: ${PAGE}[^]*data: 1`));
    const without = new Client(port);
    without.send(request('{}'));
    await expect.poll(() => seen).toHaveLength(4);
    answer(seen[3]);
    await expect.poll(() => without.text).toContain('{}');
    expect(without.text).not.toContain('Access-Control');
  });

  test('may be any', async () => {
    const port = await start({ cors: createCors(['*']) });
    const models = await callAs(port, '/v1/models', 'null');
    expect([allowOrigin(models), models.headers.get('vary')]).toEqual(['*', null]);
    expect(allowOrigin(await preflight(port, '/v1/models', PAGE))).toBe('*');
  });
});
