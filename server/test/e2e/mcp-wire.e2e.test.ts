import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyScope } from '../../src/identity/index.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import { databaseOf, echoAgent, firstTenant, makeAgent } from '../support/a2a.ts';
import { makeKey, studio, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call, callChunked, type Caller, type CallOptions, jsonOf } from '../support/http.ts';
import { ask, callTool, fine, messagesOf, modern, refused, responseOf, type RpcReply } from '../support/mcp.ts';
import { createChance } from '../reliability/seeded.ts';
import { times } from '../support/long.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { type Service, startService } from '../support/service.ts';

// The MCP server as it stands on the wire: what is refused and how, what keys may, and what is counted.

let service: Service;
let db: Database;
let slug: string;
beforeAll(async () => {
  service = await startService({
    config: {
      limits: { requests_per_minute: null, tokens_per_minute: null },
      server: { cors_origins: ['https://pages.example.kr'], json_bytes: 100_000, json_with_images_bytes: 100_000 },
    },
  });
  db = await databaseOf(service);
  slug = (await makeAgent(db, await firstTenant(db), echoAgent)).slug;
});
afterAll(async () => {
  await db?.close();
  await service?.close();
});

const callerWith = async (scopes: readonly KeyScope[], limits: object = {}): Promise<Caller & { id: string }> => {
  const { id, value: key } = await makeKey(service, { scopes: [...scopes], ...limits });
  return { base: service.base, key, id };
};
const BOTH = 'application/json, text/event-stream';
const older = (message: object, headers: Record<string, string> = {}): CallOptions => ({
  headers: { accept: BOTH, 'mcp-protocol-version': '2025-11-25', ...headers },
  body: message,
});
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const namesOf = async (caller: Caller): Promise<string[]> => {
  const { result } = await ask<{ tools: { name: string }[] }>(caller, 'tools/list');
  return (result?.tools ?? []).map(({ name }) => name);
};

describe('a request', () => {
  test('is answered by JSON or events, at every path, with or without the headers that curl leaves out', async () => {
    covers('mcp.paths', 'mcp.versions');
    for (const path of ['/mcp', '/v1/mcp', '/api/v1/mcp', '/mcp/']) {
      const whole = await call(service, path, modern('tools/list'));
      expect(whole.headers.get('content-type'), path).toBe('application/json');
      expect(whole.headers.get('cache-control'), path).toBe('no-store');
      expect(responseOf(whole).result, path).toHaveProperty('tools');
      const events = await call(service, path, older(list));
      expect(events.headers.get('content-type'), path).toBe('text/event-stream');
      expect(responseOf(events).result, path).toHaveProperty('tools');
    }
    // Without a version it is the one before versions were told; without Accept all is taken.
    const bare = await call(service, '/mcp', { body: list });
    expect(bare.status).toBe(200);
    expect(messagesOf(bare)).toHaveLength(1);
    expect(bare.headers.get('x-ratelimit-limit')).toBeTruthy();
    expect(bare.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(bare.headers.get('x-accel-buffering')).toBe('no');
  });

  test('without a key, or with a wrong one, is a 401 that says how it is sent', async () => {
    covers('mcp.key', 'mcp.errors', 'mcp.tokens.metadata');
    for (const key of [null, 'wrong', 'aaa.bbb.ccc']) {
      const reply = await call(service, '/mcp', { ...modern('tools/list'), key });
      const error = refused(reply, 401, -32_000, null);
      expect(error.data).toMatchObject({ reason: 'unauthenticated' });
      // No single sign-on is configured.
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
    const metadata = await call(service, '/.well-known/oauth-protected-resource/mcp', { key: null });
    expect(metadata.status).toBe(404);
  });

  test('that is no message of the protocol is refused in its form, with its id where it has one', async () => {
    covers('mcp.errors');
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      call(service, '/mcp', { headers: { accept: BOTH, ...headers }, body });
    refused(await send('{"jsonrpc":'), 400, -32_700, null);
    refused(await send(''), 400, -32_700, null);
    refused(await send(new Uint8Array([0x7b, 0xff, 0x7d])), 400, -32_700, null);
    refused(await send('[]'), 400, -32_600, null);
    refused(await send([list, { ...list, id: 2 }]), 400, -32_600, null);
    // One that no response could repeat as it was.
    for (const id of [2 ** 53, 1.5, true, {}]) refused(await send({ ...list, id }), 400, -32_600, null);
    for (const body of ['5', '"x"', 'null', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])
      expect((await send(body)).status, body).toBe(400);
    expect(jsonOf<RpcReply>(await send({ jsonrpc: '1.0', id: 1, method: 'ping' })).error?.code).toBe(-32_600);
    refused(await send(list, { 'content-type': 'text/plain' }), 415, -32_000, null);
    const large = { ...list, params: { _meta: { x: 'x'.repeat(200_000) } } };
    refused(await send(large), 413, -32_000, null);
    const chunked = await callChunked(service, '/mcp', [JSON.stringify(large)]);
    expect([chunked.status, (JSON.parse(chunked.text) as RpcReply).error?.code]).toEqual([413, -32_000]);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    expect((await send(deep)).status).toBeLessThan(500);
    const extra = await send({ ...list, also: 1 });
    expect([extra.status, extra.headers.get('x-ignored-fields')]).toEqual([200, 'also']);
  });

  test('of a version that is not spoken is told those that are', async () => {
    covers('mcp.versions.refused');
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    const future = modern('tools/list', {}, { meta });
    const reply = await call(service, '/mcp', {
      ...future,
      headers: { ...future.headers, 'mcp-protocol-version': '2030-01-01' },
    });
    expect(refused(reply, 400, -32_022).data).toMatchObject({ supported: ['2026-07-28'] });
    const past = await call(service, '/mcp', older(list, { 'mcp-protocol-version': '1999-01-01' }));
    expect(refused(past, 400, -32_000, null).message).toContain('2025-11-25');
    // The headers must say what the body says.
    const mixed = await call(service, '/mcp', {
      ...modern('tools/list'),
      headers: { ...modern('tools/list').headers, 'mcp-method': 'ping' },
    });
    refused(mixed, 400, -32_020);
    const offered = { protocolVersion: '2030-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const initialized = await call(service, '/mcp', { body: { ...list, method: 'initialize', params: offered } });
    expect(responseOf(initialized).result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(initialized.headers.get('mcp-session-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('by another method is a 405 that names the one there is', async () => {
    covers('mcp.methods');
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const reply = await call(service, '/mcp', { method, headers: { accept: 'text/event-stream' } });
      refused(reply, 405, -32_000, null);
      expect(reply.headers.get('allow'), method).toBe('POST');
    }
  });

  test('of a method that there is none of is told so', async () => {
    covers('mcp.errors');
    const unknown = await ask(service, 'prompts/list');
    expect(unknown.error?.code).toBe(-32_601);
    // Nothing changes that clients would be told of.
    const listens = await call(service, '/mcp', modern('subscriptions/listen', { notifications: {} }));
    refused(listens, 404, -32_601);
    const olderReply = await call(service, '/mcp', older({ ...list, method: 'tasks/list' }));
    expect(responseOf(olderReply).error?.code).toBe(-32_601);
    for (const params of [
      {},
      { name: 5 },
      { name: 'search', arguments: [] },
      { name: 'search', _meta: { progressToken: {} } },
    ])
      refused(await call(service, '/mcp', older({ ...list, method: 'tools/call', params })), 400, -32_602);
    const cursor = await call(service, '/mcp', modern('resources/list', { cursor: 5 }));
    expect(refused(cursor, 400, -32_602).message).toMatch(/^params\.cursor /);
  });

  test('without an id is a notification', async () => {
    covers('mcp.notifications');
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/unheard']) {
      const reply = await call(service, '/mcp', older({ jsonrpc: '2.0', method }));
      expect([reply.status, reply.text], method).toEqual([202, '']);
    }
    const response = await call(service, '/mcp', older({ jsonrpc: '2.0', id: 1, result: {} }));
    expect(response.status).toBe(202);
  });

  test('of a page is taken from origins that are allowed', async () => {
    covers('mcp.origin');
    const from = (origin: string) =>
      call(service, '/mcp', { ...modern('tools/list'), headers: { ...modern('tools/list').headers, origin } });
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      service.base + '.evil.example',
    ])
      refused(await from(origin), 403, -32_000, null);
    for (const origin of ['https://pages.example.kr', 'http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:8'])
      expect((await from(origin)).status, origin).toBe(200);
    const asked = await call(service, '/mcp', {
      method: 'OPTIONS',
      key: null,
      headers: {
        origin: 'https://pages.example.kr',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, mcp-protocol-version',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization, mcp-protocol-version');
  });
});

describe('a key', () => {
  test('is shown what it has the scopes for, and nothing else is there for it', async () => {
    covers('mcp.scopes');
    const collection = await makeCollection(service, { name: 'Scopes', visibility: 'tenant' });
    const { document_id: id } = await uploadReady(service, collection.collection_id, 'a.md', '돌고래');
    const agent = `agent_${slug}`;
    const retrieval = ['search', 'fetch', 'list_collections'];
    const utilities = ['parse_document', 'mask_personal_values'];
    for (const [scopes, names] of [
      [['retrieval'], retrieval],
      [['utilities'], utilities],
      [['agents'], [agent]],
      [['chat'], []],
      [
        ['retrieval', 'agents'],
        [...retrieval, agent],
      ],
    ] as const) {
      const caller = await callerWith(scopes);
      expect(await namesOf(caller), scopes.join()).toEqual(names);
      for (const name of [...retrieval, ...utilities, agent]) {
        if ((names as readonly string[]).includes(name)) continue;
        const { error, result } = await ask(caller, 'tools/call', {
          name,
          arguments: { id, query: 'x', message: 'x' },
        });
        expect(result, name).toBeUndefined();
        expect(error, name).toMatchObject({ code: -32_602, message: `Unknown tool: ${name}` });
      }
      const read = await ask(caller, 'resources/read', { uri: `studio://documents/${id}` });
      const has = (scope: KeyScope) => (scopes as readonly KeyScope[]).includes(scope);
      if (has('retrieval')) expect(JSON.stringify(read.result)).toContain('돌고래');
      // Files of answers of agents are resources: a document is none of them, as one that is not there.
      else if (has('agents')) {
        const unknown = await ask(caller, 'resources/read', { uri: `studio://documents/${'0'.repeat(32)}` });
        expect([read.result, read.error?.code]).toEqual([undefined, -32_602]);
        expect(unknown.error?.code).toBe(read.error?.code);
      } else expect(read.error?.code).toBe(-32_601);
    }
  });

  test('has its limits here as elsewhere', async () => {
    covers('mcp.key', 'mcp.errors');
    const caller = await callerWith(['utilities'], { requestsPerMinute: 3, tokensPerMinute: null });
    for (const left of [2, 1, 0]) {
      const reply = await call(caller, '/mcp', modern('tools/list'));
      expect(reply.headers.get('x-ratelimit-remaining')).toBe(String(left));
    }
    const limited = await call(caller, '/mcp', modern('tools/call', { name: 'mask_personal_values', arguments: {} }));
    refused(limited, 429, -32_000);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('that was deleted is refused', async () => {
    covers('mcp.key');
    const caller = await callerWith(['utilities']);
    expect((await call(caller, '/mcp', modern('tools/list'))).status).toBe(200);
    await studio(service, 'key', 'delete', caller.id);
    await eventually(async () =>
      expect((await call(caller, '/mcp', modern('tools/list'))).status, 'the key is refused').toBe(401),
    );
  });

  test('pays for what its tools use, by the names of their endpoints', async () => {
    covers('mcp.usage');
    const caller = await callerWith(['retrieval', 'utilities']);
    fine(await callTool(caller, 'mask_personal_values', { text: '번호는 960121-1234567' }));
    const data = Buffer.from('# Plan').toString('base64');
    fine(await callTool(caller, 'parse_document', { data, name: 'a.md' }));
    await eventually(async () => {
      const slices = await usageSlices(service, caller.id);
      const counted = Object.fromEntries(slices.map(({ endpoint, calls }) => [endpoint, Number(calls)]));
      expect(counted, 'usage').toEqual({ 'document/parse': 1, 'text/pii-mask': 1 });
    });
  });
});

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\0',
  '\u{d800}',
  '가'.repeat(500),
  'a'.repeat(32),
  `${'a'.repeat(32)}@999999999`,
  'data:;base64,',
  'AAAA',
  'http://[::1',
  'file:///etc/passwd',
  'studio://documents/',
  `studio://documents/${'%00'.repeat(20)}`,
  [],
  [null],
  Array.from({ length: 60 }, () => 'x'),
  {},
  { a: { b: [1] } },
  JSON.parse('{"__proto__":{"x":1}}'),
];
const fieldNames = ['query', 'collection_ids', 'limit', 'id', 'name', 'size', 'from', 'data', 'url', 'pages', 'format'];
const moreFields = ['text', 'types', 'operator', 'message', 'session_id', 'uri', 'cursor', 'arguments', '_meta'];

test('whatever is sent, the answer has the form of the protocol and is no failure of the service', async () => {
  covers('mcp.errors', 'mcp.tools.failure');
  const chance = createChance(process.env['STUDIO_FUZZ_SEED'] ?? 'mcp');
  const methods = [
    'tools/call',
    'tools/call',
    'tools/call',
    'resources/read',
    'resources/list',
    'tools/list',
    'initialize',
    'x',
  ];
  const names = [
    'search',
    'fetch',
    'list_collections',
    'parse_document',
    'mask_personal_values',
    `agent_${slug}`,
    'agent_',
    odd,
  ];
  const fields = () =>
    Object.fromEntries(
      Array.from({ length: chance.below(5) }, () => [chance.pick([...fieldNames, ...moreFields]), chance.pick(odd)]),
    );
  const wrong: object[] = [];
  const seen = new Map<string, number>();
  for (let n = 0; n < times(400, 10_000); n++) {
    const method = chance.pick(methods);
    const name = chance.pick(names);
    const params = {
      ...(method === 'tools/call' ? { name, arguments: fields() } : fields()),
      ...(chance.hits(0.1) ? fields() : {}),
    };
    const id = chance.hits(0.1) ? chance.pick(odd) : n;
    const given = chance.hits(0.5) ? modern(method, params) : older({ jsonrpc: '2.0', id, method, params });
    const message = given.body as Record<string, unknown>;
    const body = chance.hits(0.1)
      ? { ...message, [chance.pick(['id', 'method', 'params'])]: chance.pick(odd) }
      : message;
    const reply = await call(service, chance.pick(['/mcp', '/v1/mcp']), { ...given, body });
    const kind = `${Math.floor(reply.status / 100)}xx`;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    if (reply.status === 202 && reply.text === '') continue;
    const { jsonrpc, result, error } = responseOf(reply);
    const isFine =
      reply.status < 500 &&
      jsonrpc === '2.0' &&
      (result === undefined) !== (error === undefined) &&
      error?.code !== -32_603;
    if (!isFine || /Internal Server Error/.test(reply.text))
      wrong.push({ body, status: reply.status, text: reply.text });
  }
  expect(wrong).toEqual([]);
  expect(seen.get('2xx')).toBeGreaterThan(100);
  expect(seen.get('4xx')).toBeGreaterThan(10);
});
