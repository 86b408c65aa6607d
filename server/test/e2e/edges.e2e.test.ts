import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { databaseOf, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { call, chatBody, jsonOf } from '../support/http.ts';
import { times } from '../support/long.ts';
import { answer, play } from '../support/upstream.ts';

let house: House;
let agent = '';
beforeAll(async () => {
  house = await openSharedHouse();
  const db = await databaseOf(house);
  try {
    agent = (await makeAgent(db, await firstTenant(db), plainAgent(), { name: 'Edges' })).slug;
  } finally {
    await db.close();
  }
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

type Json = Record<string, unknown>;

describe('wrong paths and methods', () => {
  /** What a failure of each surface has. */
  const surfaces: readonly (readonly [string, string, Json])[] = [
    ['/v1/chat/completion', 'POST', { error: { type: 'not_found_error', code: '404' } }],
    ['/v1/messages/unknown', 'POST', { type: 'error', error: { type: 'not_found_error' } }],
    ['/v1/rag42/unknown/at/all', 'POST', { status: { code: '40400' } }],
  ];
  test.each(surfaces)('%s is told in the form of its surface', async (path, method, form) => {
    covers('errors.unrouted');
    for (const body of ['', '{}', '{']) {
      const reply = await call(house, path, {
        method,
        ...(body === '' ? {} : { body }),
        headers: { 'content-type': 'application/json' },
      });
      expect([body, reply.status, jsonOf<Json>(reply)]).toMatchObject([body, 404, form]);
    }
  });

  const methods: readonly (readonly [string, string, string, Json])[] = [
    ['/v1/models', 'POST', 'GET, HEAD', { error: { code: '405' } }],
    ['/v1/chat/completions', 'DELETE', 'POST', { error: { code: '405' } }],
    ['/v1/messages', 'PUT', 'POST', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v1/rag42/search', 'DELETE', 'POST', { status: { code: '40500' } }],
    ['/v1/embeddings', 'QUERY', 'POST', { error: { code: '405' } }],
  ];
  test.each(methods)('%s takes no %s', async (path, method, allow, form) => {
    covers('errors.unrouted');
    const reply = await new Promise<{ status: number; allow: string | undefined; body: Json }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' };
      const sent = httpRequest(`${house.base}${path}`, { method, headers }, (response) => {
        let text = '';
        response.on('data', (piece) => (text += String(piece)));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, allow: response.headers.allow, body: JSON.parse(text) as Json }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(reply).toMatchObject({ status: 405, allow, body: form });
  });

  test('OPTIONS names the methods of a path, without a key and without anything of CORS', async () => {
    covers('cors.off');
    for (const [path, allow] of [
      ['/v1/chat/completions', 'POST, OPTIONS'],
      ['/v1/messages', 'POST, OPTIONS'],
    ] as const) {
      const reply = await call(house, path, {
        method: 'OPTIONS',
        key: null,
        headers: { origin: 'https://x.kr', 'access-control-request-method': 'POST' },
      });
      expect([reply.status, reply.headers.get('allow')]).toEqual([204, allow]);
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect((await call(house, '/v1/nothing', { method: 'OPTIONS', key: null })).status).toBe(404);
  });
});

test.each([71, 257, 4_000])(
  'a form with a boundary of %i characters is a 400, not a failure of the service',
  async (length) => {
    covers('errors.boundary');
    const boundary = 'b'.repeat(length);
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--${boundary}--\r\n`;
    for (const path of ['/v1/document/parse', '/v1/audio/transcriptions', '/v1/audio/translations']) {
      const reply = await call(house, path, {
        body,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
      expect([path, reply.status]).not.toEqual([path, 500]);
      if (length > 256) expect([path, reply.status]).toEqual([path, 400]);
    }
  },
);

test.each([
  ['', 400],
  [' \n', 400],
])('an A2A message of the text %j is refused as wrong parameters', async (text, status) => {
  covers('a2a.empty');
  const message = { kind: 'message', role: 'user', messageId: `empty ${text.length}`, parts: [{ kind: 'text', text }] };
  for (const method of ['message/send', 'message/stream']) {
    const body = { jsonrpc: '2.0', id: 1, method, params: { message } };
    const reply = await call(house, `/api/v1/external/agents/${agent}/a2a`, { body });
    expect([reply.status, jsonOf<Json>(reply)]).toMatchObject([status, { error: { code: -32602 } }]);
  }
});

describe('tokens', () => {
  test('of a text and of a chat, as vLLM has them', async () => {
    covers('tokens.tokenize');
    const ofText = await call(house, '/v1/tokenize', { body: { model: 'CORE-GOV', prompt: 'a'.repeat(40) } });
    expect([ofText.status, jsonOf<Json>(ofText)]).toMatchObject([
      200,
      { model: 'CORE-GOV', tokens: [], token_strs: null },
    ]);
    const ofChat = await call(house, '/v1/tokenize', { body: chatBody({ add_generation_prompt: false }) });
    expect([ofChat.status, jsonOf<Json>(ofChat)]).toMatchObject([
      200,
      { count: 8, max_model_len: expect.any(Number) as number },
    ]);
    expect(ofChat.headers.get('x-ratelimit-limit')).toBeTruthy();
    for (const [body, param] of [
      [{ model: 'CORE-GOV' }, 'prompt'],
      [{ model: 'CORE-GOV', prompt: 'x', messages: [{ role: 'user', content: 'x' }] }, 'prompt'],
      [{ model: 'nobody', prompt: 'x' }, 'model'],
    ] as const) {
      const wrong = await call(house, '/v1/tokenize', { body });
      expect([wrong.status, jsonOf<Json>(wrong)]).toMatchObject([400, { error: { param } }]);
    }
  });

  test('of each message are told as CLOVA users know them', async () => {
    covers('tokens.messages');
    const path = '/v1/api-tools/chat-tokenize/CORE-GOV';
    const messages = [
      { role: 'system', content: '짧게' },
      { role: 'user', content: '안녕' },
    ];
    const each = await call(house, path, { body: { messages } });
    expect([each.status, jsonOf<Json>(each)]).toMatchObject([
      200,
      { status: { code: '20000', message: 'OK' }, result: { messages: messages.map((one) => ({ ...one, count: 0 })) } },
    ]);
    const text = await call(house, path, { body: { text: '안녕' } });
    expect(jsonOf<Json>(text)).toMatchObject({ result: { numTokens: 0 } });
    expect(house.upstream.counted).toBe(3);
    const unknown = await call(house, '/v1/api-tools/chat-tokenize/nobody', { body: { text: 'x' } });
    expect([unknown.status, jsonOf<Json>(unknown)]).toMatchObject([400, { status: { code: '40001' } }]);
    expect((await call(house, path, { body: {} })).status).toBe(400);
  });

  test('are turned back to text, and a server without a tokenizer is told of', async () => {
    covers('tokens.detokenize');
    house.upstream.plays((sent) => answer(200, { prompt: String(sent.json['tokens']) })(sent));
    const done = await call(house, '/v1/detokenize', { body: { model: 'CORE-GOV', tokens: [1, 2] } });
    expect([done.status, jsonOf<Json>(done)]).toEqual([200, { prompt: '1,2' }]);
    house.upstream.plays(answer(404, {}));
    const none = await call(house, '/v1/detokenize', { body: { model: 'CORE-GOV', tokens: [1, 2] } });
    expect([none.status, jsonOf<Json>(none)]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('no tokenizer') as string } },
    ]);
    house.upstream.restart({ tokenizer: false });
    const neither = await call(house, '/v1/tokenize', { body: { model: 'CORE-GOV', prompt: 'x' } });
    expect(neither.status).toBe(400);
  });

  test('of a chat are counted, or estimated', async () => {
    covers('tokens.chat');
    const counted = await call(house, '/v1/chat/completions/tokens', { body: chatBody({ stream: true, unknown: 1 }) });
    expect([counted.status, jsonOf<Json>(counted)]).toMatchObject([
      200,
      { object: 'chat.completion.tokens', model: 'CORE-GOV', prompt_tokens: 8, is_estimate: false },
    ]);
    expect(counted.headers.get('x-ignored-fields')).toBe('unknown');
    house.upstream.restart({ tokenizer: false });
    const estimated = await call(house, '/v1/chat/completions/tokens', { body: chatBody() });
    expect(jsonOf<Json>(estimated)).toMatchObject({ prompt_tokens: expect.any(Number) as number, is_estimate: true });
    expect(house.upstream.calls).toEqual([]);
  });
});

test('moderation is a 404 with advice', async () => {
  covers('moderations.advice');
  const reply = await call(house, '/v1/moderations', { body: { input: 'x' } });
  expect([reply.status, jsonOf<Json>(reply)]).toMatchObject([
    404,
    { error: { type: 'not_found_error', message: expect.stringContaining('pii-mask') as string } },
  ]);
  expect((await call(house, '/v1/moderations', { body: {} })).status).toBe(400);
  expect((await call(house, '/v1/moderations', { body: { input: 'x' }, key: null })).status).toBe(401);
});

describe('bad requests by chance', () => {
  const FORM = {
    openAi: (body: Json) =>
      typeof (body['error'] as Json)['message'] === 'string' && typeof (body['error'] as Json)['code'] === 'string',
    messages: (body: Json) =>
      body['type'] === 'error' &&
      typeof (body['error'] as Json)['type'] === 'string' &&
      typeof body['request_id'] === 'string',
  };
  const scalar = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, '', 'x', 'CORE-GOV', 'user', 'text', [], {}, [[]], [null]),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.integer(),
  );
  const anything = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('type', 'text', 'role', 'content', 'source', 'id', 'name', 'input', '__proto__', 'x'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  /** A right request, of which some values are others, by their paths. */
  const damaged = (right: Json) =>
    fc
      .array(fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), anything, fc.boolean()), {
        minLength: 1,
        maxLength: 3,
      })
      .map((changes) => {
        const body = structuredClone(right);
        for (const [path, value, removes] of changes) {
          let at: unknown = body;
          for (const [depth, step] of path.entries()) {
            if (typeof at !== 'object' || at === null) break;
            const keys = Object.keys(at);
            const key = keys[step % Math.max(1, keys.length)];
            if (key === undefined) break;
            const inside = (at as Json)[key];
            if (depth < path.length - 1 && typeof inside === 'object' && inside !== null) at = inside;
            else {
              if (removes) delete (at as Json)[key];
              else (at as Json)[key] = value;
              break;
            }
          }
        }
        return JSON.stringify(body);
      });
  const tool = { name: 'f', description: 'd', input_schema: { type: 'object', properties: {} } };
  const message = {
    model: 'CORE-GOV-VLM',
    max_tokens: 64,
    stream: false,
    system: [{ type: 'text', text: 's' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'r' }] },
          { type: 'document', title: 'a', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
        ],
      },
    ],
    tools: [tool],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'adaptive' },
    stop_sequences: ['stop'],
    metadata: { user_id: 'u' },
  };
  const { max_tokens: _max, stream: _stream, stop_sequences: _stop, metadata: _metadata, ...count } = message;
  const endpoints: readonly (readonly [path: string, right: Json, form: keyof typeof FORM])[] = [
    ['/v1/messages', message, 'messages'],
    ['/v1/messages', { ...message, stream: true }, 'messages'],
    ['/v1/messages/count_tokens', count, 'messages'],
    ['/v1/tokenize', { model: 'CORE-GOV', prompt: 'x', add_special_tokens: true, return_token_strs: true }, 'openAi'],
    [
      '/v1/tokenize',
      { model: 'CORE-GOV', messages: [{ role: 'user', content: 'x' }], add_generation_prompt: true },
      'openAi',
    ],
    ['/v1/detokenize', { model: 'CORE-GOV', tokens: [1, 2] }, 'openAi'],
    ['/v1/chat/completions/tokens', { model: 'CORE-GOV', messages: [{ role: 'user', content: 'x' }] }, 'openAi'],
    ['/v1/moderations', { model: 'm', input: ['x'] }, 'openAi'],
    ['/v2/rerank', { model: 'm', query: 'x', documents: ['a', 'b'], top_n: 1 }, 'openAi'],
  ];

  test.each(endpoints)(
    '%s answers each with a status and its form',
    { timeout: times(60_000, 3_600_000) },
    async (path, right, form) => {
      covers('errors.fuzzed');
      house.upstream.plays((sent) =>
        sent.path.endsWith('/detokenize') ? answer(200, { prompt: 'x' })(sent) : play({ text: 'OK' })(sent),
      );
      const bytes = fc.oneof(
        { weight: 8, arbitrary: damaged(right) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constant(JSON.stringify(right)), fc.nat(200), fc.constantFrom('{', '"', '\\', '\u0000', ',', ''))
            .map(([text, at, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1)),
        },
        { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
      );
      await fc.assert(
        fc.asyncProperty(bytes, async (body) => {
          const reply = await call(house, path, { body, headers: { 'content-type': 'application/json' } });
          expect(reply.status, body).toBeLessThan(500);
          if (reply.status === 200) return;
          const failure = jsonOf<Json>(reply);
          expect(FORM[form](failure), `${body}\n${reply.text}`).toBe(true);
        }),
        { numRuns: times(40, 1_200), seed: 20 },
      );
    },
  );
});
