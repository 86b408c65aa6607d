import { readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OpenApiDocument } from '@ai-studio/contract/openapi.ts';
import { z } from 'zod';
import { createKeyActor, type KeyRecord } from '../identity/index.ts';
import type { Logger } from '../kernel/log.ts';
import { openTestCalls } from '../../test/support/inference.ts';
import { temporaryFolder } from '../../test/support/postgres.ts';
import type { UsageRow } from '../usage/index.ts';
import { createApp } from '../http/app.ts';
import { createAuthenticate } from './auth.ts';
import { createFailures } from './failures.ts';
import { createKeyAccess } from './key-access.ts';
import { createKeepAlive } from './keep-alive.ts';
import type { RequestLogEntry } from './request-log-entry.ts';
import { openApiDocument } from '../http/openapi/document.ts';
import { docsPage } from '../http/openapi/page.ts';
import { hotRoute, publicRoute } from './public-route.ts';
import { recordRequests } from '../http/request-record.ts';
import { hotHandlers, serveRoutes } from '../http/serve-routes.ts';
import { unlimited } from '../kernel/rate-limits.ts';

// One declaration, and what follows from it.

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const GreetingRequest = z.object({ name: z.string().min(1), polite: z.boolean().default(false) });
const GreetingReply = z.object({ greeting: z.string() });

const greeting = publicRoute({
  method: 'POST',
  path: ['/greetings', '/text/greetings/:language'],
  access: 'utilities',
  tag: 'Greetings',
  summary: 'A greeting',
  description: 'Greets by name.',
  params: { language: 'Such as ko' },
  body: { GreetingRequest },
  reply: { GreetingReply },
  example: { name: 'Ada' },
  errors: ['timeout'],
  usage: 'greeting',
  estimate: ({ name }) => name.length,
  handle({ body, params, admitted }) {
    admitted.meter({ model: 'GREETER', engine: null, promptTokens: 7 });
    return { greeting: `${body.polite ? 'Good day' : 'Hello'}, ${body.name} (${params.language ?? 'en'})` };
  },
});
const quick = hotRoute({
  method: 'POST',
  path: '/quick',
  access: 'chat',
  tag: 'Greetings',
  summary: 'A quick one',
  description: 'Without ado.',
  usage: 'quick',
  handler: (usage) => (exchange) => exchange.reply(200, ['Content-Length', String(usage.length)], usage),
});
const secret = publicRoute({
  method: 'GET',
  path: '/secret',
  root: true,
  hidden: true,
  access: 'public',
  tag: 'Greetings',
  summary: 'None of your business',
  description: 'Nor this.',
  handle: () => ({}),
});
const common = {
  access: 'public',
  tag: 'Greetings',
  summary: 'Another',
  description: 'Another.',
  hidden: true,
} as const;
/** Below a path of our own forms. */
const own = [
  publicRoute({
    ...common,
    method: 'GET',
    path: '/document/greeted',
    query: { State: z.strictObject({ state: z.string().optional() }) },
    handle: ({ query }) => query,
  }),
  publicRoute({ ...common, method: 'DELETE', path: '/document/greeted', handle: () => ({}) }),
  publicRoute({
    ...common,
    method: 'POST',
    path: '/document/greetings',
    body: { Filters: z.strictObject({ filters: z.unknown().optional() }) },
    handle: () => ({}),
  }),
];
const farewell = publicRoute({ ...common, method: 'POST', path: '/farewell', handle: () => ({}) });
/** Needs no key; one that is sent has to be right. */
const known = publicRoute({
  ...common,
  access: 'optional_key',
  method: 'GET',
  path: '/known',
  handle: ({ key: given }) => ({ key: given?.id ?? null }),
});
const uploads = temporaryFolder('studio-uploads-');
const upload = publicRoute({
  ...common,
  method: 'POST',
  path: '/upload',
  form: { fields: { UploadFields: z.object({ kind: z.enum(['note']) }) }, folder: uploads, maxBytes: 1_000 },
  async handle({ upload: read }) {
    const given = await read();
    await given.remove();
    return {};
  },
});
const routes = [greeting, quick, secret, farewell, known, upload, ...own];

const key = {
  id: 'k',
  tenantId: 't',
  scopes: new Set(['utilities']),
  holderMayCall: true,
  limits: unlimited,
} as unknown as KeyRecord;
const observed: RequestLogEntry[] = [];
const counted: UsageRow[] = [];
const reserved: number[] = [];
const settled: number[] = [];
const keepAlive = createKeepAlive(Date.now);
const failures = createFailures(silent);
const keyAccess = createKeyAccess({
  authenticate: createAuthenticate({
    verify: (token) => (token === 'good' ? key : null),
    find: (token) => Promise.resolve(token === 'narrow' ? { ...key, scopes: new Set(['chat'] as const) } : null),
  }),
  calls: openTestCalls({
    limiter: {
      reserve(_subject, _limits, { tokensPerMinute }) {
        reserved.push(tokensPerMinute);
        return { allowed: true, limit: 9, remaining: 8, resetSeconds: 1, window: 1 };
      },
      settle: (_subject, _limits, { tokensPerMinute }) => void settled.push(tokensPerMinute),
    },
    record: (row) => void counted.push(row),
  }),
  keyActor: createKeyActor(unlimited),
  keepAlive,
});
const app = createApp({
  failures,
  onRejected: () => undefined,
  hot: hotHandlers(routes),
  maxJsonBytes: 10_000,
  maxHotBytes: 10_000,
  trustProxy: false,
});
let base = '';
let listenedFor: unknown;

beforeAll(async () => {
  recordRequests(app.fastify, (one) => void observed.push(one), Date.now);
  serveRoutes(app.fastify, routes, {
    keyAccess,
    maxJsonBytes: 10_000,
    failure: failures.openAi,
  });
  const listen = vi.spyOn(app.server, 'listen');
  base = `http://127.0.0.1:${await app.listen('127.0.0.1', 0)}`;
  [listenedFor] = listen.mock.lastCall ?? [];
});
afterAll(async () => {
  await app.close(0);
  keepAlive.close();
  rmSync(uploads, { recursive: true, force: true });
});

const post = (path: string, body: unknown, token = 'good') =>
  fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends what `fetch` does not: a GET with a body. Resolves with the reply as text. */
async function sendWithBody(method: string, path: string, body: string): Promise<string> {
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(head + body));
  return text(socket);
}

const document = openApiDocument('1', routes) as OpenApiDocument & {
  readonly paths: Readonly<Record<string, { readonly post: Readonly<Record<string, unknown>> }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

test('a declared endpoint is served at each of its paths under both prefixes', async () => {
  for (const prefix of ['/v1', '/api/v1']) {
    const reply = await post(`${prefix}/greetings`, { name: 'Ada' });
    expect(await reply.json()).toEqual({ greeting: 'Hello, Ada (en)' });
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('8');
    const other = await post(`${prefix}/text/greetings/ko`, { name: 'Ada', polite: true });
    expect(await other.json()).toEqual({ greeting: 'Good day, Ada (ko)' });
  }
  expect((await fetch(`${base}/v1/greetings`)).headers.get('allow')).toBe('POST');
});

test('as many connections wait to be accepted as the system lets', () => {
  expect(listenedFor).toMatchObject({ backlog: 4_096 });
});

test('its key, its scope and its body are checked before its handler', async () => {
  const before = counted.length;
  const statuses = [
    await post('/v1/greetings', { name: 'Ada' }, 'wrong'),
    await post('/v1/greetings', { name: 'Ada' }, 'narrow'),
    await post('/v1/greetings', { name: '' }),
    await post('/v1/greetings', { name: 'a'.repeat(10_001) }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 403, 400, 413]);
  expect(counted).toHaveLength(before);
});

test('a key that it does not need is known where it is right, and refused where it is wrong', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${base}/v1/known`, { headers });
  expect(await (await ask({})).json()).toEqual({ key: null });
  expect(await (await ask({ authorization: 'Bearer good' })).json()).toEqual({ key: 'k' });
  expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401);
});

test('a call that the scope of its key does not allow counts as a request', async () => {
  reserved.length = 0;
  const reply = await post('/v1/greetings', { name: 'Ada' }, 'narrow');
  expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([403, '8']);
  expect(reserved).toEqual([0]);
});

test('a form whose fields are wrong leaves no file', async () => {
  const send = (kind: string) => {
    const body = new FormData();
    body.set('kind', kind);
    body.set('file', new Blob(['text']), 'a.txt');
    return fetch(`${base}/v1/upload`, { method: 'POST', body });
  };
  expect((await send('note')).status).toBe(200);
  expect((await send('song')).status).toBe(400);
  expect(readdirSync(uploads)).toEqual([]);
});

test('its estimate is reserved and settled, its calls are counted by its usage name, and its path is its label', async () => {
  for (const list of [reserved, settled, counted, observed]) list.length = 0;
  await (await post('/v1/greetings', { name: 'Ada' })).text();
  await expect.poll(() => observed).toMatchObject([{ route: 'greetings', status: 200, keyId: 'k', model: 'GREETER' }]);
  expect([reserved, settled]).toEqual([[3], [4]]);
  expect(counted).toMatchObject([{ endpoint: 'greeting', keyId: 'k', promptTokens: 7, outcome: 'ok' }]);
});

test('fields that it leaves out are named', async () => {
  const fields = { name: 'Ada', nmae: 1, '이름\r\n': 2, polite: true };
  const reply = await post('/v1/greetings', fields);
  expect(reply.headers.get('x-ignored-fields')).toBe('nmae, %EC%9D%B4%EB%A6%84%0D%0A');
  expect((await post('/v1/greetings', { name: 'Ada' })).headers.has('x-ignored-fields')).toBe(false);
  const fields60 = Array.from({ length: 60 }, (_, at) => `f${at}`);
  const all = await post('/v1/greetings', { name: 'Ada', ...Object.fromEntries(fields60.map((name) => [name, 1])) });
  expect(all.headers.get('x-ignored-fields')).toBe(fields60.join(', '));
});

test('of names that are more than a header holds the rest is told by dots', async () => {
  const long = Array.from({ length: 20 }, (_, at) => [`${at}${'가'.repeat(40)}`, at]);
  const reply = await post('/v1/greetings?a=1', { name: 'Ada', ...Object.fromEntries(long) });
  const header = reply.headers.get('x-ignored-fields') ?? '';
  expect(header.length).toBeLessThan(2_100);
  expect(header.split(', ')).toMatchObject({ 0: expect.stringMatching(/^0%EA%B0%80/) as string, 5: '...', 6: 'a' });
});

test('parameters of the address that it leaves out are named beside the fields', async () => {
  const reply = await post('/v1/greetings?api-version=2026-01-01&b%0d=1', { name: 'Ada', nmae: 1 });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('x-ignored-fields')).toBe('nmae, api-version, b%0D');
});

describe('a form of our own', () => {
  test('is refused with a parameter that is nearly a known one; others are named', async () => {
    const near = await fetch(`${base}/v1/document/greeted?stat=a`);
    expect(near.status).toBe(400);
    expect(await near.text()).toContain('stat is not a known field; did you mean state?');
    const far = await fetch(`${base}/v1/document/greeted?state=a&_=17`);
    expect(far.headers.get('x-ignored-fields')).toBe('_');
    expect(await far.json()).toEqual({ state: 'a' });
  });

  test('is refused with a misspelt field behind any number of others, and with more than anybody sends', async () => {
    const behind = (count: number) => ({
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`zzzz${at}`, at])),
      filter: {},
    });
    for (const count of [50, 150, 250]) {
      const reply = await post('/v1/document/greetings', behind(count));
      expect(reply.status, String(count)).toBe(400);
      expect(await reply.text()).toMatch(/ is not a known field; (?:did you mean filters\?|known here: filters)/);
    }
  });

  test('that takes no body is refused with one, which is named', async () => {
    const path = '/v1/document/greeted';
    const send = (body: string, type = 'application/json') =>
      fetch(base + path, { method: 'DELETE', headers: { 'content-type': type }, body });
    const refused = await send('{"model":"large","other":1}');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('This endpoint takes no body; leave out model, other');
    for (const body of ['model=large', '[1]', '"x"', `{"long":"${'x'.repeat(70_000)}"}`]) {
      const reply = await send(body, 'text/plain');
      expect(reply.status, body.slice(0, 20)).toBe(400);
      expect(await reply.text()).toContain('This endpoint takes no body');
    }
    for (const body of ['', '{}', ' []', 'null\n']) expect((await send(body)).status, body).toBe(200);
    expect((await fetch(base + path, { method: 'DELETE' })).status).toBe(200);
    const get = await sendWithBody('GET', '/v1/document/greeted', '{"state":"a"}');
    expect(get).toMatch(/^HTTP\/1\.1 400 [^]*This endpoint takes no body; leave out state/);
    expect(await sendWithBody('GET', '/v1/document/greeted', '{}')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('fields of a body that a form of others does not take are named', async () => {
  const send = (body: string) => fetch(`${base}/v1/farewell`, { method: 'POST', body });
  const reply = await send('{"model":"large","b c":1}');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('x-ignored-fields')).toBe('model, b%20c');
  expect((await send('not JSON')).headers.has('x-ignored-fields')).toBe(false);
});

test('a wrong body counts as one request without tokens', async () => {
  for (const list of [reserved, settled]) list.length = 0;
  await post('/v1/greetings', {});
  expect([reserved, settled]).toEqual([[0], []]);
});

test('it stands in the document and on the page, with its forms and failures', () => {
  const { post: operation } = document.paths['/v1/text/greetings/{language}'] ?? {};
  expect(operation).toMatchObject({
    summary: 'A greeting',
    tags: ['Greetings'],
    parameters: [
      { name: 'language', in: 'path', required: true, description: 'Such as ko' },
      { name: 'X-Tenant-Id', in: 'header', required: false },
    ],
    requestBody: {
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/GreetingRequest' }, example: { name: 'Ada' } },
      },
    },
  });
  const statuses = ['200', '400', '401', '403', '404', '405', '413', '415', '429', '500', '503', '504'];
  expect(Object.keys(operation?.['responses'] ?? {})).toEqual(statuses);
  expect(document.components.schemas).toMatchObject({
    GreetingRequest: { required: ['name'] },
    GreetingReply: { properties: { greeting: { type: 'string' } } },
  });
  const page = docsPage(document, routes, base);
  expect(page).toContain('<a href="#post-v1-greetings">A greeting</a>');
  expect(page).not.toContain('None of your business');
});

test('a hot endpoint is declared alike and served by the raw server', async () => {
  expect(await (await post('/api/v1/quick', {})).text()).toBe('quick');
  expect(document.paths['/v1/quick']?.post).toMatchObject({ summary: 'A quick one' });
});

test('a hidden endpoint is served, and stands in no document', async () => {
  expect((await fetch(`${base}/secret`)).status).toBe(200);
  expect(Object.keys(document.paths)).not.toContain('/secret');
});
