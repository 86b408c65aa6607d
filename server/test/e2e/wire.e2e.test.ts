import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { CHAT, call, chat, chatBody, expectError } from '../support/http.ts';

// What happens before and around a request's own handler, seen from the bytes on the connection.

let house: House;
beforeAll(async () => {
  house = await openHouse({
    config: () => ({
      server: { json_bytes: 20_000, json_with_images_bytes: 20_000, cors_origins: ['https://app.example.kr'] },
      metrics: { token: 'a-token' },
    }),
  });
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

interface Exchange {
  readonly text: string;
  readonly status: number;
  readonly closedByServer: boolean;
}

/** Sends bytes, and more every few milliseconds, and reads until the server hangs up or `enough` says so. */
function talk(
  first: string,
  { more, enough }: { more?: string; enough?: (text: string) => boolean } = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(house.base);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    let closedByServer = true;
    const feed = more === undefined ? null : setInterval(() => socket.writable && socket.write(more), 5);
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (part: string) => {
      text += part;
      if (enough?.(text) !== true) return;
      closedByServer = false;
      socket.destroy();
    });
    socket.on('close', () => {
      if (feed) clearInterval(feed);
      resolve({ text, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), closedByServer });
    });
    socket.write(first);
  });
}

const head = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const postTo = (path: string, ...lines: readonly string[]) =>
  head([`POST ${path} HTTP/1.1`, 'Host: studio', `Authorization: Bearer ${house.key}`, ...lines]);
const post = (...lines: readonly string[]) => postTo(CHAT, ...lines);

/** The JSON body that ends an exchange. */
const bodyOf = ({ text }: Exchange) =>
  JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4)) as { error: { code: string; message: string } };

/** The line that the log has of a request. */
const lineOf = async (id: string) => {
  let found: Record<string, unknown> | undefined;
  await eventually(() => {
    const lines = house
      .output()
      .split('\n')
      .filter((line) => line.includes(id) && line.includes('"msg":"request"'));
    found = lines.map((line) => JSON.parse(line) as Record<string, unknown>)[0];
    expect(found).toBeDefined();
  });
  return found;
};

describe('what is no HTTP', () => {
  test.each([
    ['a broken request line', () => 'GET / HTTP/9.9\r\n\r\n', 400],
    [
      'headers that are too long',
      () => head(['GET /livez HTTP/1.1', 'Host: studio', `X-Long: ${'a'.repeat(40_000)}`]),
      431,
    ],
    ['an unknown expectation', () => post('Expect: a-miracle', 'Content-Length: 0'), 417],
  ])('%s is refused in the form of all failures', async (_name, request, status) => {
    covers('errors.form', 'common.request-id.every-response', 'common.request-id.log');
    const exchange = await talk(request());
    expect(exchange.status).toBe(status);
    expect(exchange.text).toMatch(/^x-request-id: [0-9a-f]{32}\r$/im);
    const { error } = bodyOf(exchange);
    expect(error).toMatchObject({ code: String(status), type: 'invalid_request_error', param: null });
    const id = /^x-request-id: (\w+)/im.exec(exchange.text)?.[1] ?? '-';
    expect(await lineOf(id)).toMatchObject({ route: 'unknown', status, reason: error.message });
  });

  test('a broken escape in the path is named in our words', async () => {
    covers('errors.400', 'common.request-id.log');
    const reply = await call(house, '/v1/models/%zz');
    expectError(reply, 400, { message: /percent escape/ });
    const line = await lineOf(reply.headers.get('x-request-id') ?? '-');
    expect(line).toMatchObject({ route: 'unknown', status: 400, reason: expect.stringContaining('escape') as string });
  });
});

describe.each([CHAT, '/v1/embeddings'])('a body for %s that is too large', (path) => {
  test('is not asked for when its length is told first', async () => {
    covers('errors.413', 'limits.body.json');
    const exchange = await talk(
      postTo(path, 'Content-Type: application/json', 'Content-Length: 900000', 'Expect: 100-continue'),
    );
    expect(exchange.status).toBe(413);
    expect(exchange.text).not.toContain('100 Continue');
    const small = await talk(
      post(
        'Content-Type: application/json',
        `Content-Length: ${JSON.stringify(chatBody()).length}`,
        'Expect: 100-continue',
      ),
      { enough: (text) => text.includes('100 Continue') },
    );
    expect(small.text).toContain('100 Continue');
  });

  test('ends the connection soon, however much the client still sends', async () => {
    covers('limits.body.chunked');
    const piece = `1000\r\n${'x'.repeat(4096)}\r\n`;
    const exchange = await talk(postTo(path, 'Content-Type: application/json', 'Transfer-Encoding: chunked'), {
      more: piece,
    });
    expect(exchange.status).toBe(413);
    expect(exchange.closedByServer).toBe(true);
  });
});

test('a refused body is not taken in however fast it comes', async () => {
  covers('limits.body.chunked');
  const { hostname, port } = new URL(house.base);
  const socket = connect(Number(port), hostname);
  const piece = Buffer.from(`100000\r\n${'x'.repeat(1_048_576)}\r\n`);
  socket.on('error', () => undefined).resume();
  const feed = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', feed);
  socket.write(post('Content-Type: application/json', 'Transfer-Encoding: chunked'));
  feed();
  await new Promise((resolve) => socket.once('close', resolve));
  // What it lets go, and what the two ends of the connection hold.
  expect(socket.bytesWritten).toBeLessThan(64 * 1_048_576);
});

describe('the type of a body', () => {
  const send = (path: string, type: string | null, body: object) =>
    fetch(house.base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}`, ...(type === null ? {} : { 'content-type': type }) },
      // Bytes bring no type of their own.
      body: Buffer.from(JSON.stringify(body)),
    });

  test.each([
    [CHAT, chatBody()],
    ['/v1/completions', { model: 'CORE-GOV', prompt: 'Hello' }],
    ['/v1/embeddings', { input: 'Hello' }],
  ])('%s follows the rule of all: none is JSON, another charset is refused', async (path, body) => {
    covers('limits.content-type', 'limits.content-type.charset', 'errors.415');
    expect((await send(path, null, body)).status).toBe(200);
    expect((await send(path, 'application/json; charset=UTF-8', body)).status).toBe(200);
    expect((await send(path, 'application/json; charset=latin1', body)).status).toBe(415);
    expect((await send(path, 'text/plain', body)).status).toBe(415);
  });
});

describe('a key that may not', () => {
  test.each([
    [CHAT, chatBody()],
    ['/v1/embeddings', { input: 'Hello' }],
  ])('%s tells what is left of its limits all the same', async (path, body) => {
    covers('limits.headers', 'errors.403', 'tenant.header.other');
    const foreign = await call(house, path, { body, headers: { 'x-tenant-id': 'f'.repeat(32) } });
    expectError(foreign, 403, { param: 'X-Tenant-Id' });
    expect(Number(foreign.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
    const { value } = await makeKey(house, { scopes: ['retrieval'] });
    const scopeless = await call({ ...house, key: value }, path, { body });
    expectError(scopeless, 403);
    expect(Number(scopeless.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  });
});

describe('the log', () => {
  test.each<[string, string, object, Record<string, unknown>]>([
    ['/v1/models', 'GET', {}, { route: 'models', status: 200 }],
    ['/v1/nowhere', 'GET', {}, { route: 'unknown', status: 404 }],
    ['/v1/models', 'DELETE', {}, { route: 'unknown', status: 405 }],
    ['/v1/embeddings', 'POST', { key: null, body: { input: 'a' } }, { route: 'embeddings', status: 401 }],
    ['/v1/embeddings', 'POST', { body: { input: [] } }, { route: 'embeddings', status: 400 }],
    ['/v1/embeddings', 'POST', { body: { input: 'a' } }, { route: 'embeddings', status: 200, requestBytes: 13 }],
  ])('has a line for %s %s', async (path, method, options, wanted) => {
    covers('common.request-id.log', 'health.metrics');
    const counted = async () => {
      const { text } = await call({ ...house, key: 'a-token' }, '/metrics');
      const labels = `{route="${String(wanted['route'])}",status="${String(wanted['status'])}"}`;
      const line = text.split('\n').find((one) => one.startsWith(`studio_requests_total${labels}`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const before = await counted();
    const reply = await call(house, path, { method, ...options });
    const line = await lineOf(reply.headers.get('x-request-id') ?? '-');
    expect(line).toMatchObject({ ...wanted, responseBytes: Buffer.byteLength(reply.text) });
    expect(await counted()).toBe(before + 1);
  });

  test('has the bytes of chats', async () => {
    covers('common.request-id.log');
    const reply = await chat(house);
    const line = await lineOf(reply.headers.get('x-request-id') ?? '-');
    expect(line).toMatchObject({ route: 'chat', status: 200, responseBytes: Buffer.byteLength(reply.text) });
    expect(line?.['requestBytes']).toBe(Buffer.byteLength(JSON.stringify(chatBody())));
  });
});

describe('what is nested without end', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const opening: Readonly<Record<string, string>> = {
    [CHAT]: '"messages":[{"role":"user","content":"a"}]',
    '/v1/completions': '"prompt":"a"',
    '/v1/embeddings': '"input":"a"',
    '/v1/rerank': '"query":"a","documents":["a"]',
  };

  test.each<[string, string, (nest: string) => string]>([
    [CHAT, 'tools', (nest) => `[{"type":"function","function":{"name":"f","parameters":{"a":${nest}}}}]`],
    [CHAT, 'response_format', (nest) => `{"type":"json_schema","json_schema":{"name":"a","schema":{"a":${nest}}}}`],
    [CHAT, 'metadata', (nest) => `{"a":${nest}}`],
    [CHAT, 'messages', (nest) => `[{"role":"user","content":"a","other":${nest}}]`],
    ...Object.keys(opening).map((path): [string, string, (nest: string) => string] => [path, 'other', (nest) => nest]),
  ])('%s names it: %s', async (path, field, value) => {
    covers('errors.never-500', 'errors.400', 'errors.param.path');
    for (const nest of [nested(1_000), lists(1_000)]) {
      const body = `{${opening[path] ?? ''},"${field}":${value(nest)}}`;
      expectError(await call(house, path, { body }), 400, { param: field, message: /nested deeper than 256/ });
    }
  });

  test('and what is nested as people do is taken', async () => {
    covers('chat.request.unknown-fields');
    for (const nest of [nested(200), lists(200)])
      expect((await call(house, CHAT, { body: `{${opening[CHAT] ?? ''},"other":${nest}}` })).status).toBe(200);
  });
});

test('an id that nobody has is not repeated at any length', async () => {
  covers('errors.404', 'errors.400');
  const id = 'x'.repeat(400);
  expect((await call(house, `/v1/models/${id}`)).text.length).toBeLessThan(400);
  const { error } = JSON.parse((await chat(house, { model: id })).text) as { error: { message: string } };
  expect(error.message).not.toContain('x'.repeat(200));
});

test('a metrics token beyond ASCII is a wrong one', async () => {
  covers('errors.never-500');
  const ask = (token: string) =>
    talk(
      Buffer.from(
        head(['GET /metrics HTTP/1.1', 'Host: studio', `Authorization: Bearer ${token}`, 'Connection: close']),
      ).toString(),
    );
  expect((await ask('\u00e9-token')).status).toBe(401);
  expect((await ask('토-token')).status).toBe(401);
  expect((await ask('a-token')).status).toBe(200);
});

test('pages of origins that are configured may call, with a key of their own and no cookie', async () => {
  covers('cors.origins');
  const page = { origin: 'https://app.example.kr' };
  const allowed = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin');
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, x-api-key',
  };
  for (const path of [CHAT, '/v1/messages', '/v1/embeddings', '/v2/rerank', '/api/v1/external/agents/x/a2a']) {
    const preflight = await call(house, path, { method: 'OPTIONS', key: null, headers: { ...page, ...asked } });
    expect([path, preflight.status, allowed(preflight)]).toEqual([path, 204, page.origin]);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe(asked['access-control-request-headers']);
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
  }
  for (const stream of [false, true]) {
    const reply = await call(house, CHAT, { body: chatBody({ stream }), headers: page });
    expect([reply.status, allowed(reply)]).toEqual([200, page.origin]);
    expect(reply.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    const body = { model: 'CORE-GOV', max_tokens: 9, stream, messages: [{ role: 'user', content: 'x' }] };
    const message = await call(house, '/v1/messages', { body, headers: page });
    expect([message.status, allowed(message)]).toEqual([200, page.origin]);
  }
  const refused = await call(house, CHAT, { body: '{', headers: page, key: null });
  expect([refused.status, allowed(refused)]).toEqual([401, page.origin]);
  const other = { origin: 'https://evil.example.kr' };
  expect(allowed(await call(house, CHAT, { body: chatBody(), headers: other }))).toBeNull();
  expect(allowed(await call(house, '/console/api/me', { headers: page }))).toBeNull();
});
