import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/ports/database.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { keyHash, generateKeyValue } from '../../src/identity/key-format.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { covers } from '../requirements.ts';
import {
  ask,
  askingAgent,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  plainAgent,
  refused,
  rpc,
  type RpcReply,
  stream,
  type Task,
  textOf,
} from '../support/a2a.ts';
import { makeKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, callChunked, jsonOf, type Reply } from '../support/http.ts';
import { play } from '../support/upstream.ts';

let house: House;
let db: Database;
let tenant: TenantId;
let echo: { readonly id: string; readonly slug: string };
let plain: { readonly id: string; readonly slug: string };

beforeAll(async () => {
  house = await openHouse({
    config: () => ({
      limits: { requests_per_minute: 100_000 },
      // Told without a look at where it leads.
      network: { allow: ['example.kr'] },
      server: { json_bytes: 60_000, json_with_images_bytes: 100_000 },
      log: { level: 'info', format: 'json' },
    }),
  });
  db = await databaseOf(house);
  tenant = await firstTenant(db);
  echo = await makeAgent(db, tenant, echoAgent, { name: 'Echo' });
  plain = await makeAgent(db, tenant, plainAgent(), { name: 'Plain' });
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});

const post = (slug: string, body: unknown, options: object = {}) => call(house, pathOf(slug), { body, ...options });
const send = (text: string, fields: object = {}) => rpc('message/send', { message: message(text), ...fields });
const v10 = { headers: { 'a2a-version': '1.0' } };
const text10 = (text: string) => ({ role: 'ROLE_USER', messageId: hexId(), parts: [{ text }] });

describe('who may call what', () => {
  test('an agent answers under both prefixes, with and without a trailing slash', async () => {
    covers('a2a.path');
    for (const path of [pathOf(echo.slug), pathOf(echo.slug, '/v1'), `${pathOf(echo.slug)}/`]) {
      const reply = await call(house, path, { body: send('Hi') });
      expect(reply.status, reply.text).toBe(200);
      expect(jsonOf<RpcReply<Task>>(reply).result.artifacts[0]?.parts[0]?.text).toBe('You said: Hi');
    }
  });

  test('a key is asked for before anything else', async () => {
    covers('a2a.key', 'a2a.order');
    for (const key of [null, 'nonsense', `${house.key.slice(0, -1)}${house.key.endsWith('x') ? 'y' : 'x'}`])
      for (const slug of [echo.slug, 'unknown']) {
        const reply = await post(slug, '{', { key });
        expect(refused(reply, 401, -32095, null).data.detail).toContain('API key');
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      }
    const [info] = refused(await post(echo.slug, '{', { key: null, ...v10 }), 401, -32095, null).data;
    expect(info).toMatchObject({ reason: 'UNAUTHENTICATED', domain: 'a2a-protocol.org' });
  });

  test('a slug that is unknown, missing or of another tenant names nothing', async () => {
    covers('a2a.slug', 'a2a.order');
    const other = hexId() as TenantId;
    await db.query.insertInto('tenants').values({ id: other, name: 'Other' }).execute();
    const foreign = await makeAgent(db, other, echoAgent);
    const draft = await makeAgent(db, other, echoAgent, { deployed: false });
    const answers = await Promise.all(
      ['unknown', foreign.slug, draft.slug, `${echo.slug}x`, 'x'.repeat(600)].map((slug) => post(slug, '{')),
    );
    for (const reply of answers) expect(refused(reply, 404, -32094, null).data.detail).toBeTruthy();
    expect(new Set(answers.slice(0, 3).map(({ text }) => text)).size).toBe(1);
    for (const path of ['/api/v1/external/agents/a2a', '/api/v1/external/agents//a2a'])
      refused(await call(house, path, { body: send('Hi') }), 404, -32094);
    refused(await call(house, '/v1/external/agents', { body: send('Hi') }), 404, -32094, null);
  });

  test('whoever is not let in is told so with the id of the request, as it was written', async () => {
    covers('a2a.id', 'a2a.key', 'a2a.slug', 'a2a.not-deployed');
    const draft = await makeAgent(db, tenant, echoAgent, { deployed: false });
    for (const id of ['seven', '', 7, 0, 1.5]) {
      const body = { ...send('Hi'), id };
      refused(await post(echo.slug, body, { key: null }), 401, -32095, id);
      refused(await post('unknown', body), 404, -32094, id);
      refused(await post(draft.slug, body), 403, -32093, id);
    }
    // A method of 1.0 says by itself in which form a refusal is read.
    const [info] = refused(await post('unknown', { ...send('Hi'), method: 'SendMessage' }), 404, -32094).data;
    expect(info?.reason).toBe('AGENT_NOT_FOUND');
    // Of a large body nothing is read before a key is known.
    refused(await post(echo.slug, send('x'.repeat(70_000)), { key: null }), 401, -32095, null);
  });

  test('a key needs the agent scope', async () => {
    covers('a2a.scope', 'a2a.order');
    const chat = await makeKey(house, { scopes: ['chat'] });
    const reply = await post(echo.slug, '{', { key: chat.value });
    expect(refused(reply, 403, -32092, null).data.detail).toContain('agents');
    expect(reply.headers.get('x-ratelimit-remaining')).toBeTruthy();
    refused(await post('unknown', '{', { key: chat.value }), 404, -32094, null);
    const draft = await makeAgent(db, tenant, echoAgent, { deployed: false });
    refused(await post(draft.slug, '{', { key: chat.value }), 403, -32092, null);
  });

  test('the key of a user, and one whose tenant is another than the header says, may not', async () => {
    covers('a2a.scope');
    const user = hexId();
    await db.query
      .insertInto('users')
      .values({ id: user, email: `${user}@example.kr`, name: 'U' })
      .execute();
    await db.query
      .insertInto('memberships')
      .values({ tenant_id: tenant, user_id: user, role: 'user', state: 'active', name: 'U' })
      .execute();
    const value = generateKeyValue();
    const {
      id: _id,
      sha256: _sha,
      ...like
    } = await db.query.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    await db.query
      .insertInto('api_keys')
      .values({ ...like, id: hexId(), sha256: keyHash(value), created_by: user })
      .execute();
    refused(await post(echo.slug, send('Hi'), { key: value }), 403, -32092);
    refused(await post(echo.slug, send('Hi'), { headers: { 'x-tenant-id': hexId() } }), 403, -32092);
  });

  test('a draft is told from what is not there', async () => {
    covers('a2a.not-deployed');
    const draft = await makeAgent(db, tenant, echoAgent, { deployed: false });
    const error = refused(await post(draft.slug, '{'), 403, -32093, null);
    expect(error.message).toBe('Agent workflow is not deployed');
    expect(error.data.detail).toBeTruthy();
    const [info] = refused(await post(draft.slug, '{', v10), 403, -32093, null).data;
    expect(info?.reason).toBe('AGENT_NOT_DEPLOYED');
  });
});

describe('requests', () => {
  test('that are none', async () => {
    covers('a2a.parse', 'a2a.request', 'a2a.method', 'a2a.params', 'a2a.id');
    refused(await post(echo.slug, '{'), 400, -32700, null);
    refused(await post(echo.slug, ''), 400, -32700, null);
    expect(refused(await post(echo.slug, 'null'), 400, -32600, null)).toEqual({
      code: -32600,
      message: 'Invalid Request',
      data: { detail: 'invalid JSON-RPC format' },
    });
    refused(await post(echo.slug, [send('Hi'), send('Hi')]), 400, -32600, null);
    const { id: _id, ...without } = send('Hi');
    refused(await post(echo.slug, without), 400, -32600, null);
    refused(await post(echo.slug, { ...send('Hi'), id: null }), 400, -32600, null);
    refused(await post(echo.slug, { ...send('Hi'), jsonrpc: '1.0' }), 400, -32600);
    refused(await post(echo.slug, rpc('message/nothing', {})), 400, -32601);
    refused(await post(echo.slug, rpc('ListTasks10', {})), 400, -32601);
    const wrong = refused(await post(echo.slug, rpc('message/send', {}, 'abc')), 400, -32602, 'abc');
    expect(wrong.data.detail).toContain('params.message');
    const { kind: _kind, ...bare } = message('Hi');
    expect(refused(await post(echo.slug, rpc('message/send', { message: bare })), 400, -32602).data.detail).toContain(
      'params.message.kind',
    );
    for (const method of ['message/send', 'message/stream'])
      expect(refused(await post(echo.slug, rpc(method, { message: message('') })), 400, -32602).data.detail).toContain(
        'empty',
      );
  });

  test('in 1.0 form are refused with 200 and ErrorInfo', async () => {
    covers('a2a.v10.errors', 'a2a.version');
    const codes: [unknown, number, number | null][] = [
      ['{', -32700, null],
      ['[]', -32600, null],
      [rpc('message/send', { message: message('Hi') }), -32601, 1],
      [rpc('SendMessage', {}), -32602, 1],
      [rpc('SendMessage', { message: text10('') }), -32602, 1],
      [rpc('SendStreamingMessage', { message: text10(' ') }), -32602, 1],
    ];
    for (const [body, code, id] of codes) {
      const [info] = refused(await post(echo.slug, body, v10), 200, code, id).data;
      expect(info).toMatchObject({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'a2a-protocol.org' });
      expect(info?.metadata['detail']).toBeTruthy();
    }
    // A 1.0 method name is enough.
    refused(await post(echo.slug, rpc('SendMessage', {})), 200, -32602);
  });

  test('say their version by header or address', async () => {
    covers('a2a.version', 'a2a.codes');
    const asked = rpc('SendMessage', { message: text10('Hi') });
    for (const [path, options] of [
      [pathOf(echo.slug), v10],
      [`${pathOf(echo.slug)}?A2A-Version=1.0`, {}],
      [`/api/v1/external/agents/v2/${echo.slug}/a2a`, {}],
      [`/v1/external/agents/v2/${echo.slug}/a2a`, { headers: { 'a2a-version': '0.3' } }],
      [pathOf(echo.slug), {}],
      [pathOf(echo.slug), { headers: { 'a2a-version': '0.3' } }],
    ] as const) {
      const reply = await call(house, path, { body: asked, ...options });
      const { task } = jsonOf<RpcReply<{ task: Task }>>(reply).result;
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(reply.text).not.toContain('"kind"');
    }
    const old = await post(echo.slug, send('Hi'), { headers: { 'a2a-version': '0.3.0' } });
    expect(jsonOf<RpcReply<Task>>(old).result.kind).toBe('task');
    for (const version of ['0.5', '2.0', 'x'])
      refused(await post(echo.slug, send('Hi'), { headers: { 'a2a-version': version } }), 200, -32009);
  });

  test('name what they leave out in a header of reply and stream, in both forms', async () => {
    covers('a2a.ignored');
    const more = { configuration: { historyLenght: 0, blokcing: false }, metadata: { chat_sesion_id: 7, mine: 1 } };
    const left =
      'params.configuration.historyLenght, params.configuration.blokcing, params.metadata.chat_sesion_id'.split(', ');
    const named = ({ headers }: Reply) => headers.get('x-ignored-fields')?.split(', ');
    for (const [method, text] of [
      ['message/send', message('Hi')],
      ['message/stream', message('Hi')],
      ['SendMessage', text10('Hi')],
      ['SendStreamingMessage', text10('Hi')],
    ] as const) {
      const reply = await post(echo.slug, rpc(method, { message: text, ...more }));
      expect(reply.status, reply.text).toBe(200);
      expect(reply.text).toContain('You said: Hi');
      expect(named(reply), method).toEqual(left);
      const plainly = await post(echo.slug, rpc(method, { message: { ...text, messageId: hexId() } }));
      expect(plainly.headers.has('x-ignored-fields'), method).toBe(false);
    }
    const odd = { ...send('Hi', { 'a\r\nb': 1 }), trace: 1 };
    const reply = await call(house, `${pathOf(echo.slug)}?A2A-Version=0.3&debug=1`, { body: odd });
    expect(named(reply)).toEqual(['debug', 'trace', 'params.a%0D%0Ab']);
  });

  test('have their id echoed as it was', async () => {
    covers('a2a.id');
    for (const id of ['"7"', '7', '-0.5', '12345678901234567890', '"한글"']) {
      const body = `{"jsonrpc":"2.0","method":"message/send","params":${JSON.stringify({ message: message('Hi') })},"id":${id}}`;
      const reply = await post(echo.slug, body);
      expect(reply.text).toContain(`{"jsonrpc":"2.0","id":${id},"result":`);
    }
  });

  test('of other methods, types and sizes', async () => {
    covers('a2a.http');
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await call(house, pathOf(echo.slug), { method });
      refused(reply, 405, -32600, null);
      expect(reply.headers.get('allow')).toBe('POST');
    }
    const head = await call(house, pathOf(echo.slug), { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([405, '']);
    for (const type of ['text/plain', 'application/xml'])
      refused(await post(echo.slug, send('Hi'), { headers: { 'content-type': type } }), 415, -32600, null);
    refused(await post(echo.slug, send('Hi'), { headers: { 'content-encoding': 'gzip' } }), 415, -32600, null);
    refused(await post(echo.slug, send('x'.repeat(110_000))), 413, -32600, null);
    const chunked = await callChunked(house, pathOf(echo.slug), ['{"a":"', 'x'.repeat(110_000), '"}']);
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    // Files are allowed here, so the larger limit holds.
    expect((await post(echo.slug, send('x'.repeat(70_000)))).status).toBe(200);
    refused(await call(house, `${pathOf(echo.slug)}/%zz`, { body: {} }), 400, -32600, null);
  });

  test('count, and are told what is left', async () => {
    covers('a2a.limits');
    const key = await makeKey(house, { requestsPerMinute: 4 });
    const replies = [];
    for (const body of [send('Hi'), '{', send('Hi')]) replies.push(await post(echo.slug, body, { key: key.value }));
    replies.push(await post('unknown', send('Hi'), { key: key.value }));
    expect(replies.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['3', '2', '1', '0']);
    expect(replies[0]?.headers.get('x-ratelimit-limit')).toBe('4');
    const over = await post(echo.slug, send('Hi'), { key: key.value });
    refused(over, 429, -32091);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('nothing that a client sends is a failure of the service', async () => {
  covers('a2a.params');
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const nasty = [
    null,
    true,
    -1,
    1e300,
    '',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x'.repeat(5_000),
    [],
    {},
    [[]],
    { a: '\u0000' },
    { '\u0000': 1 },
    { '\ud800': 1 },
  ];
  const id = hexId();
  const push = {
    url: 'https://example.kr/',
    id: 'x',
    token: 't',
    authentication: { schemes: ['Basic'], credentials: 'c' },
  };
  const task = await ask(house, echo.slug, 'message/send', { message: message('Hi') });
  const whole: [string, Record<string, unknown>][] = [
    [
      'message/send',
      {
        message: {
          ...message('Hi', {
            taskId: id,
            contextId: 'c',
            metadata: {},
            parts: [
              { kind: 'text', text: 'x' },
              { kind: 'data', data: {} },
            ],
          }),
        },
        configuration: {
          blocking: true,
          historyLength: 1,
          acceptedOutputModes: ['text'],
          pushNotificationConfig: push,
        },
        metadata: { chat_session_id: 1 },
      },
    ],
    [
      'message/send',
      { message: { ...message('Hi'), parts: [{ kind: 'file', file: { bytes: 'AAAA', name: 'x', mimeType: 'y' } }] } },
    ],
    [
      'SendMessage',
      {
        message: { ...text10('Hi'), parts: [{ text: 'x' }, { data: {}, mediaType: 'x' }], contextId: 'c' },
        metadata: { chat_session_id: 1 },
      },
    ],
    [
      'message/send',
      { message: { ...message('Hi', { messageId: 'the-message' }), parts: [{ kind: 'data', data: {} }] } },
    ],
    ['tasks/get', { id: task.id, historyLength: 1 }],
    ['tasks/cancel', { id: task.id }],
    [
      'ListTasks',
      {
        contextId: 'c',
        status: 'TASK_STATE_WORKING',
        pageSize: 1,
        pageToken: 'x',
        statusTimestampAfter: '2026-01-01T00:00:00Z',
      },
    ],
    ['tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig: push }],
    ['tasks/pushNotificationConfig/get', { id: task.id, pushNotificationConfigId: 'x' }],
    ['DeleteTaskPushNotificationConfig', { taskId: task.id, id: 'x' }],
  ];
  /** Every way to put one nasty value into one place. */
  function* changed(value: unknown): Generator {
    yield* nasty;
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value))
      for (const other of changed(inner)) {
        const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
        copy[key] = other;
        yield copy;
      }
  }
  for (const [method, params] of whole) {
    // Each message is one of its own, so that what it says is looked at.
    const bodies = [...changed(params)].map((one) =>
      JSON.stringify(rpc(method, one)).replaceAll('the-message', () => hexId()),
    );
    const replies = await Promise.all(bodies.map((body) => post(echo.slug, body)));
    const wrong = replies.flatMap(({ status, text }, i) => (status >= 500 ? [`${bodies[i]} → ${text}`] : []));
    expect(wrong).toEqual([]);
  }
  const data = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","role":"user","messageId":"${hexId()}","parts":[{"kind":"data","data":{"a":${deep(levels)}}}]}}}`;
  const years = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  for (const statusTimestampAfter of years) await ask(house, echo.slug, 'ListTasks', { statusTimestampAfter });
  expect((await post(echo.slug, data(50))).status).toBe(200);
  refused(await post(echo.slug, data(40_000)), 400, -32602);
  refused(await post(echo.slug, `{"id":1e999,"x":${deep(40_000)}}`), 400, -32600, Infinity);
  for (const slug of ['%00', 'a%00', "'", '%F0%9F%98%80', '..%2f..']) {
    refused(await post(slug, send('Hi')), 404, -32094);
    for (const key of [null, house.key])
      refused(await call(house, `/v1/external/agents/${slug}/.well-known/agent-card.json`, { key }), 404, -32094, null);
  }
});

describe('message/send', () => {
  test('answers a task', async () => {
    covers('a2a.send');
    house.upstream.plays(play({ text: ['The ', 'answer'] }));
    const given = message('What?');
    const task = await ask(house, plain.slug, 'message/send', { message: given });
    expect(Object.keys(task)).toEqual(['kind', 'id', 'contextId', 'status', 'artifacts', 'history', 'metadata']);
    expect(task).toMatchObject({
      kind: 'task',
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      status: {
        state: 'completed',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        message: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'The answer' }] },
      },
      artifacts: [{ artifactId: 'answer', parts: [{ kind: 'text', text: 'The answer' }] }],
      history: [{ ...given, taskId: task.id, contextId: task.contextId }],
    });
    expect(task.metadata).toEqual({ chat_session_id: expect.any(Number) as number });
    const read = await ask(house, plain.slug, 'tasks/get', { id: task.id });
    expect(read).toEqual(task);
  });

  test('of a run that fails is a failure of HTTP; in a stream it is the last event', async () => {
    covers('a2a.failure');
    const broken = await makeAgent(db, tenant, plainAgent('no-such-model'));
    const error = refused(await post(broken.slug, send('Hi')), 500, -32603);
    expect(error.message).toBe('Internal error');
    const facts = error.data as unknown as { detail: string; taskId: string };
    expect(facts.detail).toContain('no-such-model');
    expect((await ask(house, broken.slug, 'tasks/get', { id: facts.taskId })).status.state).toBe('failed');
    const { events } = await stream(house, broken.slug, 'message/stream', { message: message('Hi') });
    expect(events.at(-1)?.result).toMatchObject({
      final: true,
      status: { state: 'failed', message: { parts: [{ kind: 'text', text: '' }] } },
    });
    expect(events.at(-1)?.result.metadata?.error?.message).toContain('no-such-model');
    const young = await post(broken.slug, rpc('SendMessage', { message: text10('Hi') }));
    refused(young, 500, -32603);
  });

  test('of an agent whose model the key may not use fails', async () => {
    covers('a2a.models');
    const key = await makeKey(house, { allowedModels: ['LLM42'] });
    const error = refused(await post(plain.slug, send('Hi'), { key: key.value }), 500, -32603);
    expect(error.data.detail).toContain('CORE-GOV');
  });

  test('counts as usage of the key, and stands in the log without its text', async () => {
    covers('a2a.usage');
    const key = await makeKey(house);
    const reply = await post(plain.slug, send('a secret question'), { key: key.value });
    expect(reply.status, reply.text).toBe(200);
    await eventually(async () => {
      expect(await usageSlices(house, key.id)).toMatchObject([
        { endpoint: 'agents', model: 'CORE-GOV', calls: 1, prompt_tokens: 11, completion_tokens: 7 },
      ]);
    });
    const lines = house.output().split('\n');
    expect(lines.find((line) => line.includes(reply.headers.get('x-request-id') ?? '-'))).toMatch(
      /"route":"a2a","status":200/,
    );
    expect(house.output()).not.toContain('a secret question');
    const streamed = await stream(house, plain.slug, 'message/stream', { message: message('Hi') });
    const id = streamed.headers.get('x-request-id') ?? '-';
    await eventually(() => {
      expect(
        house
          .output()
          .split('\n')
          .find((line) => line.includes(id)),
      ).toMatch(/"route":"a2a","status":200.*"stream":true/);
    });
  });
});

describe('sessions', () => {
  test('go on by number or contextId, and their turns reach the model', async () => {
    covers('a2a.session');
    const first = await ask(house, plain.slug, 'message/send', { message: message('First question') });
    const { chat_session_id: number } = first.metadata;
    const type = await db.query.selectFrom('agent_sessions').select('type').where('id', '=', number).executeTakeFirst();
    expect(type).toEqual({ type: 'api' });
    house.upstream.reset();
    const metadata = { chat_session_id: number };
    const second = await ask(house, plain.slug, 'message/send', { message: message('Second'), metadata });
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
    expect(second.metadata.chat_session_id).toBe(number);
    expect(house.upstream.one().text).toContain('First question');
    const third = await ask(house, plain.slug, 'message/send', {
      message: message('Third', { contextId: first.contextId }),
    });
    expect(third.metadata.chat_session_id).toBe(number);
    const both = await ask(house, plain.slug, 'message/send', {
      message: message('Fourth', { contextId: first.contextId }),
      metadata,
    });
    expect(both.contextId).toBe(first.contextId);
    const other = await ask(house, plain.slug, 'message/send', { message: message('New') });
    expect(other.metadata.chat_session_id).not.toBe(number);
  });

  test('of others are none', async () => {
    covers('a2a.session.foreign');
    const mine = await ask(house, plain.slug, 'message/send', { message: message('Hi') });
    const session = mine.metadata.chat_session_id;
    const wrong = [
      [echo.slug, { message: message('Hi'), metadata: { chat_session_id: session } }],
      [echo.slug, { message: message('Hi', { contextId: mine.contextId }) }],
      [plain.slug, { message: message('Hi'), metadata: { chat_session_id: 999_999_999 } }],
      [plain.slug, { message: message('Hi', { contextId: 'my-own' }) }],
      [plain.slug, { message: message('Hi', { contextId: 'my-own' }), metadata: { chat_session_id: session } }],
      [plain.slug, { message: message('Hi'), metadata: { chat_session_id: String(session) } }],
    ] as const;
    for (const [slug, params] of wrong) refused(await post(slug, rpc('message/send', params)), 400, -32602);
    const own = { tenant_id: tenant, agent_id: plain.id, context_id: hexId(), type: 'chat' as const };
    const { id } = await db.query.insertInto('agent_sessions').values(own).returning('id').executeTakeFirstOrThrow();
    const params = { message: message('Hi'), metadata: { chat_session_id: id } };
    refused(await post(plain.slug, rpc('message/send', params)), 400, -32602);
  });
});

describe('messages that come twice', () => {
  test('run once: the second gets the same task, or the same stream', async () => {
    covers('a2a.message-id');
    house.upstream.reset();
    const given = message('Once');
    const [one, two] = await Promise.all([
      ask(house, plain.slug, 'message/send', { message: given }),
      ask(house, plain.slug, 'message/send', { message: given }),
    ]);
    expect(two).toEqual(one);
    const { events } = await stream(house, plain.slug, 'message/stream', { message: given });
    expect(textOf(events)).toBe('OK');
    expect(events.at(-1)?.result.taskId).toBe(one.id);
    const again = await stream(house, plain.slug, 'message/stream', { message: given });
    expect(again.text).toBe((await stream(house, plain.slug, 'message/stream', { message: given })).text);
    const cut = events.at(-2)?.event ?? '';
    const rest = await stream(
      house,
      plain.slug,
      'message/stream',
      { message: given },
      { headers: { 'last-event-id': cut } },
    );
    expect(rest.events).toEqual(events.slice(-1));
    expect(house.upstream.calls).toHaveLength(1);
  });

  test('with other content are refused; other agents have ids of their own', async () => {
    covers('a2a.message-id');
    const given = message('One thing');
    await ask(house, echo.slug, 'message/send', { message: given });
    const other = { ...given, parts: [{ kind: 'text', text: 'Another' }] };
    expect(refused(await post(echo.slug, rpc('message/send', { message: other })), 400, -32602).data.detail).toContain(
      'message',
    );
    expect((await ask(house, plain.slug, 'message/send', { message: other })).status.state).toBe('completed');
  });
});

describe('tasks', () => {
  test('are read with as much history as asked for', async () => {
    covers('a2a.tasks.get');
    const { id } = await ask(house, echo.slug, 'message/send', { message: message('Hi') });
    expect((await ask(house, echo.slug, 'tasks/get', { id, historyLength: 0 })).history).toBeUndefined();
    expect((await ask(house, echo.slug, 'tasks/get', { id, historyLength: 5 })).history).toHaveLength(1);
    const young = await ask(house, echo.slug, 'GetTask', { id, historyLength: 1 });
    expect(young).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { role: 'ROLE_AGENT', parts: [{ text: 'You said: Hi' }] } },
      artifacts: [{ artifactId: 'answer', parts: [{ text: 'You said: Hi' }] }],
      history: [{ role: 'ROLE_USER', parts: [{ text: 'Hi' }] }],
    });
    expect(JSON.stringify(young)).not.toContain('"kind"');
  });

  test('of others are none', async () => {
    covers('a2a.tasks.foreign', 'a2a.codes');
    const mine = await ask(house, echo.slug, 'message/send', { message: message('Hi') });
    await db.query
      .updateTable('agent_sessions')
      .set({ type: 'chat' })
      .where('id', '=', mine.metadata.chat_session_id)
      .execute();
    const theirs = await ask(house, plain.slug, 'message/send', { message: message('Hi') });
    for (const id of [mine.id, theirs.id, hexId(), 'x', `${theirs.id}'--`]) {
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/resubscribe', 'tasks/pushNotificationConfig/list'])
        refused(await post(echo.slug, rpc(method, { id })), 200, -32001);
      for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask'])
        refused(await post(echo.slug, rpc(method, { id })), 200, -32001);
      refused(await post(echo.slug, send('Hi', { message: message('Hi', { taskId: id }) })), 200, -32001);
    }
    const listed = await ask<{ tasks: Task[] }>(house, echo.slug, 'ListTasks', {});
    expect(listed.tasks.map(({ id }) => id)).not.toContain(mine.id);
  });

  test('are listed by pages', async () => {
    covers('a2a.tasks.list');
    const agent = await makeAgent(db, tenant, echoAgent);
    const tasks: Task[] = [];
    for (let i = 0; i < 5; i++)
      tasks.push(await ask(house, agent.slug, 'message/send', { message: message(`Number ${i}`) }));
    const newest = tasks.map(({ id }) => id).toReversed();
    interface Page {
      readonly tasks: readonly Task[];
      readonly nextPageToken: string;
      readonly pageSize: number;
      readonly totalSize: number;
    }
    const list = (params: object) => ask<Page>(house, agent.slug, 'ListTasks', params);
    const all = await list({});
    expect(all).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 5 });
    expect(all.tasks.map(({ id }) => id)).toEqual(newest);
    expect(all.tasks[0]).not.toHaveProperty('artifacts');
    expect((await list({ includeArtifacts: true })).tasks[0]?.artifacts).toHaveLength(1);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageSize: 2, pageToken });
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(newest);
    expect((await list({ contextId: tasks[2]?.contextId })).tasks.map(({ id }) => id)).toEqual([tasks[2]?.id]);
    expect((await list({ status: 'TASK_STATE_COMPLETED' })).totalSize).toBe(5);
    expect((await list({ status: 'TASK_STATE_WORKING' })).totalSize).toBe(0);
    expect((await list({ status: 'TASK_STATE_REJECTED' })).tasks).toEqual([]);
    const since = { statusTimestampAfter: tasks[3]?.status.timestamp };
    expect((await list(since)).tasks.map(({ id }) => id)).toEqual(newest.slice(0, 2));
    const far = Buffer.from('99999999999999999999 1').toString('base64url');
    for (const wrong of ['x', far])
      refused(await post(agent.slug, rpc('ListTasks', { pageToken: wrong })), 200, -32602);
    refused(await post(agent.slug, rpc('ListTasks', { pageSize: 101 })), 200, -32602);
  });

  test('that have ended take no further message, and cannot be canceled', async () => {
    covers('a2a.tasks.cancel', 'a2a.codes');
    const { id } = await ask(house, echo.slug, 'message/send', { message: message('Hi') });
    refused(await post(echo.slug, rpc('tasks/cancel', { id })), 200, -32002);
    refused(await post(echo.slug, rpc('CancelTask', { id })), 200, -32002);
    refused(await post(echo.slug, send('', { message: message('More', { taskId: id }) })), 200, -32004);
    refused(await post(echo.slug, rpc('SubscribeToTask', { id })), 200, -32004);
  });
});

test('an agent that asks goes on with the answer', async () => {
  covers('a2a.input-required');
  const agent = await makeAgent(db, tenant, askingAgent);
  const first = await stream(house, agent.slug, 'message/stream', { message: message('A car') });
  expect(textOf(first.events)).toBe('Which colour?');
  const ids = first.events.map(({ result }) => result.status.message.messageId);
  expect(new Set(ids).size).toBe(ids.length);
  const last = first.events.at(-1)?.result;
  expect(last).toMatchObject({ final: true, status: { state: 'input-required', message: { parts: [{ text: '' }] } } });
  const taskId = last?.taskId ?? '';
  const waiting = await ask(house, agent.slug, 'tasks/get', { id: taskId });
  expect(waiting.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'Which colour?' }] } });
  // The question is one message, wherever it is told.
  const [, asked] = ids.slice(-3);
  expect(waiting.status.message?.messageId).toBe(asked);
  const wrong = message('Red', { taskId, contextId: hexId() });
  refused(await post(agent.slug, rpc('message/send', { message: wrong })), 400, -32602);
  const reply = message('Red', { taskId });
  const second = await stream(house, agent.slug, 'message/stream', { message: reply });
  expect(textOf(second.events)).toBe('A car in Red');
  expect(second.events.at(-1)?.result).toMatchObject({ taskId, final: true, status: { state: 'completed' } });
  // From the beginning, the question that was answered is no part of the answer.
  const whole = await stream(house, agent.slug, 'tasks/resubscribe', { id: taskId });
  expect(textOf(whole.events)).toBe('A car in Red');
  const twice = await ask(house, agent.slug, 'message/send', { message: reply });
  expect(twice).toMatchObject({ id: taskId, status: { state: 'completed' } });
  const texts = (task: Task) => task.history?.map(({ parts }) => parts[0]?.text);
  expect(texts(twice)).toEqual(['A car', 'Which colour?', 'Red']);
  expect(twice.history?.map(({ messageId }) => messageId).slice(1)).toEqual([asked, reply['messageId']]);
  expect(texts(await ask(house, agent.slug, 'tasks/get', { id: taskId, historyLength: 2 }))).toEqual([
    'Which colour?',
    'Red',
  ]);
});

test('of several that answer one question at once, one does; who named the session alone begins a task', async () => {
  covers('a2a.input-required');
  const agent = await makeAgent(db, tenant, askingAgent);
  const first = await ask(house, agent.slug, 'message/send', { message: message('A car') });
  const all = await Promise.all(
    ['Red', 'Blue', 'Green', 'White'].map((colour) =>
      ask(house, agent.slug, 'message/send', { message: message(colour, { contextId: first.contextId }) }),
    ),
  );
  const done = all.filter(({ id }) => id === first.id);
  expect(done).toMatchObject([{ status: { state: 'completed' } }]);
  const others = all.filter(({ id }) => id !== first.id);
  // Each was asked back, but where another of them answered its question.
  expect(others.every(({ contextId }) => contextId === first.contextId)).toBe(true);
  const second = await ask(house, agent.slug, 'message/send', { message: message('A bike') });
  const named = await Promise.all(
    ['Red', 'Blue', 'Green'].map((colour) =>
      post(agent.slug, rpc('message/send', { message: message(colour, { taskId: second.id }) })),
    ),
  );
  const codes = named.map((reply) => jsonOf<RpcReply<Task>>(reply).error?.code ?? 'done');
  expect(codes.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([-32004, -32004, 'done']);
});

test('notifications that would go to the inside by a name are refused when they are set', async () => {
  covers('a2a.push.private');
  const { id: taskId } = await ask(house, echo.slug, 'message/send', { message: message('Hi') });
  const config = { url: 'https://localhost/hook' };
  for (const body of [
    rpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: config }),
    rpc('message/send', { message: message('Hi'), configuration: { pushNotificationConfig: config } }),
  ])
    expect(refused(await post(echo.slug, body), 400, -32602).data.detail).toContain('must lead to a public address');
  const { total } = await db.query
    .selectFrom('agent_push_configs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('run_id', '=', taskId)
    .executeTakeFirstOrThrow();
  expect(Number(total)).toBe(0);
});

test('files that are empty or broken are refused before anything runs', async () => {
  covers('a2a.params');
  const parts = (...all: readonly object[]) => rpc('message/send', { message: { ...message(''), parts: all } });
  for (const bytes of ['', '=', 'A', 'AAAAA', 'A*==']) {
    const { data } = refused(await post(echo.slug, parts({ kind: 'file', file: { bytes } })), 400, -32602);
    expect(data.detail).toContain('params.message.parts[0]');
  }
});

test('who knows sessions alone answers by naming the session', async () => {
  covers('a2a.input-required');
  const agent = await makeAgent(db, tenant, askingAgent);
  for (const name of ['chat_session_id', 'contextId'] as const) {
    const first = await ask(house, agent.slug, 'message/send', { message: message('A car') });
    expect(first.status.state).toBe('input-required');
    const { chat_session_id: id } = first.metadata as { readonly chat_session_id: number };
    const reply =
      name === 'contextId'
        ? { message: message('Red', { contextId: first.contextId }) }
        : { message: message('Red'), metadata: { chat_session_id: id } };
    const second = await ask(house, agent.slug, 'message/send', reply);
    expect(second).toMatchObject({ id: first.id, contextId: first.contextId, status: { state: 'completed' } });
    expect(second.artifacts[0]?.parts[0]?.text).toBe('A car in Red');
    // Once nothing waits, the next message is a task of its own.
    const third = await ask(house, agent.slug, 'message/send', {
      ...reply,
      message: message('A bike', { contextId: first.contextId }),
    });
    expect(third.id).not.toBe(first.id);
  }
});
