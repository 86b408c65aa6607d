import { afterEach, expect, test } from 'vitest';
import { createFailures } from '../http-kit/failures.ts';
import type { HttpExchange } from '../http-kit/http-exchange.ts';
import { NodeExchange } from '../http-kit/node-exchange.ts';
import type { Logger } from '../kernel/log.ts';
import { type App, createApp } from './app.ts';
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
async function start(): Promise<number> {
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
  });
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
