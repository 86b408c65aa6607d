import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Logger } from '../kernel/log.ts';
import { createA2aFailures } from '../agents/routes.public/index.ts';
import { createFailures } from '../http-kit/failures.ts';
import { createApp } from './app.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const failures = createFailures(silent);
const a2a = createA2aFailures(failures.openAi);
let isOverloaded = true;
const callers: string[] = [];
let answered = 0;
const app = createApp({
  failures: {
    ...failures,
    a2a: (error, requestId) => {
      const failure = a2a(error, requestId);
      return { ...failure, body: JSON.parse(failure.body) as object };
    },
  },
  onRejected: () => undefined,
  hot: {
    '/chat/completions': (exchange) => {
      answered++;
      exchange.reply(200, ['Content-Length', '2'], '{}');
    },
  },
  maxJsonBytes: 10_000,
  maxHotBytes: 10_000,
  trustProxy: false,
  shedder: {
    refuses(caller) {
      callers.push(caller);
      return isOverloaded;
    },
  },
});
app.fastify.get('/livez', () => ({ ok: true }));
app.fastify.post('/console/api/x', () => ({ ok: true }));
let base = '';
beforeAll(async () => void (base = `http://127.0.0.1:${await app.listen('127.0.0.1', 0)}`));
afterAll(() => app.close(0));

const post = (path: string, body = '{}') =>
  fetch(base + path, { method: 'POST', body, headers: { authorization: 'Bearer k', 'content-type': 'text/plain' } });

test.each([
  ['/v1/chat/completions', { error: { type: 'server_error', param: null, code: '50300' } }],
  ['/api/v1/embeddings', { error: { type: 'server_error', code: '50300' } }],
  ['/v1/rag42/search', { status: { code: '50300' } }],
  ['/v1/external/agents/x', { jsonrpc: '2.0', id: null }],
])('%s is refused with 503 in its own form, with Retry-After, and is not read', async (path, form) => {
  const before = answered;
  const reply = await post(path, 'x'.repeat(1_000_000));
  expect(reply.status).toBe(503);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(await reply.json()).toMatchObject(form);
  expect(answered).toBe(before);
  expect(callers.at(-1)).toBe('Bearer k');
});

test('asks those that it refuses to come back at different times', async () => {
  const seconds = new Set<number>();
  for (let i = 0; i < 8; i++) {
    const { headers } = await post('/v1/chat/completions');
    seconds.add(Number(headers.get('retry-after')));
  }
  expect(seconds).toEqual(new Set([1, 2, 3, 4]));
});

test('lets in who looks after the service, and everybody afterwards', async () => {
  expect((await fetch(`${base}/livez`)).status).toBe(200);
  const console = await fetch(`${base}/console/api/x`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  expect(console.status).toBe(200);
  isOverloaded = false;
  expect((await post('/v1/chat/completions')).status).toBe(200);
});
