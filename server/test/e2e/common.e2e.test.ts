import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { keyRows, makeKey, studio } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import {
  CHAT,
  type Reply,
  call,
  callChunked,
  chat,
  chatBody,
  chatStream,
  expectError,
  jsonOf,
} from '../support/http.ts';
import { testKey } from '../support/service.ts';
import { answer, play, upstreamUsage } from '../support/upstream.ts';

const MIB = 1024 * 1024;
let house: House;
beforeAll(async () => {
  house = await openHouse({
    config: () => ({ limits: { requests_per_minute: 100_000, tokens_per_minute: 2_000_000_000 } }),
  });
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const embedding = { input: 'Hello' };
const endpoints = [
  { method: 'POST', path: '/chat/completions', body: chatBody() },
  { method: 'POST', path: '/completions', body: { model: 'CORE-GOV', prompt: 'Hello' } },
  { method: 'GET', path: '/models', body: undefined },
  { method: 'GET', path: '/models/CORE-GOV', body: undefined },
  { method: 'POST', path: '/embeddings', body: embedding },
  { method: 'POST', path: '/text/embeddings', body: embedding },
];
const paths = ['/v1', '/api/v1'].flatMap((prefix) =>
  endpoints.map((endpoint) => ({ ...endpoint, path: prefix + endpoint.path })),
);

describe.each(paths)('$method $path', ({ method, path, body }) => {
  test('answers, with and without a slash at the end', async () => {
    covers(
      'common.prefix.v1',
      'common.prefix.api-v1',
      'common.trailing-slash',
      'common.request-id.every-response',
      'limits.headers',
      'limits.every-endpoint',
    );
    for (const form of [path, `${path}/`]) {
      const reply = await call(house, form, { method, body });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
      expect(Number(reply.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
      expect(reply.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
      expect(reply.headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
    }
  });

  test('asks for a key before anything else', async () => {
    covers(
      'auth.every-endpoint',
      'auth.missing',
      'auth.wrong-key',
      'auth.before-body',
      'errors.401',
      'errors.form',
      'errors.code.string',
      'errors.param.null',
    );
    expectError(await call(house, path, { method, body, key: null }), 401, { param: null });
    expectError(await call(house, path, { method, body, key: `aist_${'x'.repeat(49)}` }), 401);
    if (method === 'POST') expectError(await call(house, path, { method, body: '{"model":', key: null }), 401);
  });

  test('refuses another method', async () => {
    covers('common.method.wrong');
    const reply = await call(house, path, { method: 'DELETE' });
    expectError(reply, 405);
    expect(reply.headers.get('allow')).toContain(method);
  });
});

describe('the key', () => {
  test.each([
    ['another scheme', { authorization: `Basic ${testKey}` }],
    ['no scheme', { authorization: testKey }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['a damaged key', { authorization: `Bearer ${testKey.slice(0, -1)}${testKey.endsWith('0') ? '1' : '0'}` }],
    ['a key that is cut', { authorization: `Bearer ${testKey.slice(0, 20)}` }],
    ['a key in another header', { 'x-api-key': testKey, 'api-key': testKey }],
    ['a key in a cookie', { cookie: `authorization=${testKey}; session=${testKey}; key=${testKey}` }],
  ])('is refused as %s', async (_name, headers) => {
    covers('auth.malformed', 'auth.only-header', 'errors.401');
    expectError(await call(house, '/v1/models', { key: null, headers: headers }), 401);
    expectError(await call(house, CHAT, { key: null, headers: headers, body: chatBody() }), 401);
  });

  test('in the query opens nothing', async () => {
    covers('auth.only-header');
    expectError(
      await call(house, `/v1/models?api_key=${testKey}&key=${testKey}&access_token=${testKey}`, { key: null }),
      401,
    );
  });

  test('may follow the word Bearer in any case', async () => {
    covers('auth.scheme.case');
    for (const scheme of ['bearer', 'BEARER'])
      expect(
        (await call(house, '/v1/models', { key: null, headers: { authorization: `${scheme} ${testKey}` } })).status,
      ).toBe(200);
  });

  test('is stored as its hash only', async () => {
    covers('auth.key.stored-as-hash', 'auth.key.init', 'auth.key.shape');
    const { value } = await makeKey(house);
    expect(value).toMatch(/^aist_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
    const rows = await keyRows(house);
    for (const key of [value, testKey]) {
      expect(rows.text).not.toContain(key.slice(12, -6));
      expect(rows.hashes).toContain(createHash('sha256').update(key).digest('hex'));
    }
  });

  test('works once it is issued and is dead once it is deleted', async () => {
    covers('auth.key.issued-works', 'auth.key.deleted');
    const { id, value } = await makeKey(house);
    expect((await call(house, CHAT, { key: value, body: chatBody() })).status).toBe(200);
    await studio(house, 'key', 'delete', id);
    expectError(await call(house, CHAT, { key: value, body: chatBody() }), 401);
    expectError(await call(house, '/v1/models', { key: value }), 401);
  });

  test('of one scope or some models opens no others', async () => {
    covers('errors.403', 'chat.request.model.unknown-lists', 'models.list');
    const { value } = await makeKey(house, { scopes: ['chat'], allowedModels: ['CORE-GOV', 'LLM42'] });
    expectError(await call(house, '/v1/embeddings', { key: value, body: embedding }), 403);
    const { message } = expectError(
      await call(house, CHAT, { key: value, body: chatBody({ model: 'K-Large-236B' }) }),
      400,
      { param: 'model' },
    );
    expect(message).toContain('LLM42');
    expect(message).not.toContain('CORE-GOV-THINK');
    const list = jsonOf<{ data: { id: string }[] }>(await call(house, '/v1/models', { key: value }));
    expect(list.data.map(({ id }) => id).toSorted()).toEqual(['CORE-GOV', 'LLM42']);
    expectError(await call(house, '/v1/models/K-Large-236B', { key: value }), 404);
  });

  test('decides the tenant', async () => {
    covers('tenant.header.own', 'tenant.header.other', 'errors.403');
    const { tenant } = await keyRows(house);
    expect((await call(house, '/v1/models', { headers: { 'x-tenant-id': tenant } })).status).toBe(200);
    expectError(await call(house, '/v1/models', { headers: { 'x-tenant-id': 'f'.repeat(32) } }), 403);
    expectError(await chat(house, {}, { 'x-tenant-id': 'someone-else' }), 403);
  });
});

describe('paths and ids', () => {
  test.each([
    '/',
    '/v1',
    '/v1/chat',
    '/v2/chat/completions',
    '/v1/chat/completions/x',
    '/v1/nothing',
    '/%ff',
    '/v1//chat/completions',
    '/v1/../etc/passwd',
  ])('%s is not known', async (path) => {
    covers('common.path.unknown', 'errors.404', 'errors.content-type');
    expectError(await call(house, path), path === '/%ff' ? 400 : 404);
  });

  test('every request has an id of its own, which its log line holds', async () => {
    covers(
      'common.request-id.distinct',
      'common.request-id.log',
      'common.times.iso',
      'common.request-id.every-response',
    );
    const replies = await Promise.all([
      chat(house),
      chat(house),
      chat(house, { temperature: 9 }),
      call(house, '/livez'),
      call(house, '/nothing'),
      call(house, '/v1/models'),
    ]);
    const ids = replies.map(({ headers }) => headers.get('x-request-id') ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    const logged = () =>
      house
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { requestId?: string; time: string });
    await eventually(() => {
      for (const id of ids.slice(0, 3)) {
        const line = logged().find(({ requestId }) => requestId === id);
        expect(line?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
    });
    expect(house.output()).not.toContain(testKey);
  });
});

describe('bodies', () => {
  const padded = (bytes: number, model = 'CORE-GOV') => {
    const body = JSON.stringify(chatBody({ model, padding: '' }));
    return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - body.length)}"`);
  };
  const withImage = (bytes: number) => {
    const body = (data: string) =>
      JSON.stringify({
        model: 'LLM42',
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] },
        ],
      });
    // As a picture begins, in whole groups of four characters.
    const size = bytes - body('').length;
    return body(`iVBORw0KGgoA${'A'.repeat(size - (size % 4) - 12)}`) + ' '.repeat(size % 4);
  };

  test('of 4 MiB are taken, larger ones are not', async () => {
    covers('limits.body.json', 'errors.413');
    expect((await call(house, CHAT, { body: padded(4 * MIB) })).status).not.toBe(413);
    expectError(await call(house, CHAT, { body: padded(4 * MIB + 1) }), 413);
    expectError(await call(house, '/v1/embeddings', { body: JSON.stringify({ input: 'x'.repeat(4 * MIB) }) }), 413);
  });

  test('with images may have 16 MiB', async () => {
    covers('limits.body.images', 'errors.413');
    const taken = await call(house, CHAT, { body: withImage(6 * MIB) });
    expect(taken.status, taken.text.slice(0, 300)).toBe(200);
    expect(house.upstream.one().text.length).toBeGreaterThan(6 * MIB - 1000);
    expectError(await call(house, CHAT, { body: withImage(16 * MIB + 1) }), 413);
  });

  test('without a length are cut off at the same limit', async () => {
    covers('limits.body.chunked');
    const small = await callChunked(house, CHAT, [
      JSON.stringify(chatBody()).slice(0, 20),
      JSON.stringify(chatBody()).slice(20),
    ]);
    expect(small.status).toBe(200);
    const large = await callChunked(
      house,
      CHAT,
      Array.from({ length: 18 }, () => Buffer.alloc(MIB, ' ')),
    );
    expect(large.status).toBe(413);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
  ])('of type %s are refused', async (type) => {
    covers('limits.content-type', 'errors.415');
    for (const path of [CHAT, '/v1/completions', '/v1/embeddings'])
      expectError(
        await call(house, path, { headers: { 'content-type': type }, body: JSON.stringify(chatBody()) }),
        415,
      );
  });

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json ; charset="utf-8"',
  ])('of type %s are taken', async (type) => {
    covers('limits.content-type.charset');
    expect((await chat(house, {}, { 'content-type': type })).status).toBe(200);
    expect((await call(house, '/v1/embeddings', { headers: { 'content-type': type }, body: embedding })).status).toBe(
      200,
    );
  });

  test.each(['{"input":', '[]', '"x"', 'null', '5'])('%s is a 400 for embeddings and completions too', async (body) => {
    covers('limits.malformed-json', 'errors.400');
    for (const path of ['/v1/embeddings', '/v1/completions']) expectError(await call(house, path, { body }), 400);
  });
});

describe('rate limits', () => {
  test('of requests end in 429 with the headers of the limit', async () => {
    covers(
      'limits.requests',
      'limits.headers',
      'limits.headers.remaining',
      'limits.headers.reset',
      'limits.retry-after',
      'limits.per-key',
      'errors.429',
    );
    const { value } = await makeKey(house, { requestsPerMinute: 4 });
    const other = await makeKey(house, { requestsPerMinute: 4 });
    const ask = () => call(house, CHAT, { key: value, body: chatBody() });
    const remaining: number[] = [];
    const first = await ask();
    remaining.push(Number(first.headers.get('x-ratelimit-remaining')));
    // A window may end in between; then one more round is needed.
    let limited = await ask();
    for (let i = 0; i < 12 && limited.status === 200; i++) {
      remaining.push(Number(limited.headers.get('x-ratelimit-remaining')));
      limited = await ask();
    }
    expect(first.headers.get('x-ratelimit-limit')).toBe('4');
    expect(remaining.slice(0, 2)).not.toEqual([remaining[0], remaining[0]]);
    expectError(limited, 429, { message: /limit/i });
    expect(limited.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(limited.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
    for (const path of ['/v1/models', '/v1/models/CORE-GOV']) expectError(await call(house, path, { key: value }), 429);
    expectError(await call(house, '/v1/embeddings', { key: value, body: embedding }), 429);
    expectError(await call(house, CHAT, { key: value, body: chatBody({ stream: true }) }), 429);
    expect((await call(house, CHAT, { key: other.value, body: chatBody() })).status).toBe(200);
  });

  test('of tokens count what was used, and give back what was not', async () => {
    covers('limits.tokens', 'limits.tokens.settled', 'errors.429');
    const { value } = await makeKey(house, { tokensPerMinute: 1000 });
    const ask = (content: string) =>
      call(house, CHAT, { key: value, body: chatBody({ messages: [{ role: 'user', content }] }) });
    // Each prompt is guessed at 500 tokens or more, and counted as 18: without settling the third would be refused.
    for (let i = 0; i < 6; i++) expect((await ask('word '.repeat(500))).status).toBe(200);
    house.upstream.plays(
      play({ text: 'OK', usage: { ...upstreamUsage, prompt_tokens: 10, completion_tokens: 5000, total_tokens: 5010 } }),
    );
    expect((await ask('Hello')).status).toBe(200);
    expectError(await ask('Hello'), 429);
  });

  test('are shown on failures and streams too', async () => {
    covers('limits.headers', 'limits.default');
    const replies: Reply[] = [
      await chat(house, { temperature: 9 }),
      await chatStream(house),
      await call(house, '/v1/models/none'),
      await call(house, '/v1/embeddings', { body: {} }),
    ];
    replies.push(await call(house, '/v1/embeddings', { body: '{' }), await call(house, CHAT, { body: '{' }));
    for (const { headers } of replies) expect(headers.get('x-ratelimit-limit')).toMatch(/^(100000|2000000000)$/);
  });
});

test('no message tells where the model server is or what its key is', async () => {
  covers('errors.message.no-leak');
  const secret =
    'no\nTraceback (most recent call last):\n  File "/srv/vllm/engine.py", line 3\nhttp://10.1.2.3:8000/v1 sk-abcdefghijkl';
  for (const status of [400, 401, 404, 500, 503]) {
    house.upstream.plays(
      answer(status, { error: { message: `bad: ${secret}`, type: 'x', param: null, code: status } }),
    );
    const { text } = await chat(house);
    expect(text).not.toMatch(/10\.1\.2\.3|engine\.py|sk-abc|Traceback/);
  }
});
