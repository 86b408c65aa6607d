import { createHash, createPublicKey, verify } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  ask,
  askingAgent,
  chain,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  refused,
  rpc,
  type Task,
} from '../support/a2a.ts';
import { eventually } from '../support/eventually.ts';
import { call, jsonOf } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';

const config = { limits: { requests_per_minute: null }, network: { allow: ['localhost'] } };
let service: Service;
let db: Database;
let tenant: TenantId;
let echo: { readonly id: string; readonly slug: string };
beforeAll(async () => {
  service = await startService({ config });
  db = await databaseOf(service);
  tenant = await firstTenant(db);
  echo = await makeAgent(db, tenant, echoAgent, { name: 'Echo', description: 'Says it again' });
});
afterAll(async () => {
  await db?.close();
  await service?.close();
  await rm(service?.dataFolder ?? '', { recursive: true, force: true });
});

interface Card {
  readonly url?: string;
  readonly protocolVersion?: string;
  readonly supportedInterfaces: readonly { readonly url: string; readonly protocolVersion: string }[];
  readonly skills: readonly { readonly examples?: readonly string[]; readonly description: string }[];
}
const cardPaths = (slug: string, prefix = '/api/v1') => [
  `${prefix}/external/agents/${slug}/.well-known/agent-card.json`,
  `${pathOf(slug, prefix)}/.well-known/agent-card.json`,
];

describe('cards', () => {
  test('lie at both addresses, with and without a key', async () => {
    covers('a2a.card');
    const url = `${service.base}${pathOf(echo.slug)}/rpc`;
    for (const path of [...cardPaths(echo.slug), ...cardPaths(echo.slug, '/v1')])
      for (const key of [service.key, null]) {
        const reply = await call(service, path, { key });
        expect(reply.status, reply.text).toBe(200);
        expect(jsonOf<Card>(reply)).toMatchObject({
          name: 'Echo',
          description: 'Says it again',
          protocolVersion: '0.3.0',
          url,
          preferredTransport: 'JSONRPC',
          version: '1.0.0',
          capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
          securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } } },
          supportsAuthenticatedExtendedCard: true,
          skills: [{ id: echo.slug, name: 'Echo', description: 'Says it again', tags: ['agent'] }],
        });
      }
    const young = await call(service, cardPaths(echo.slug)[0] ?? '', { headers: { 'a2a-version': '1.0' } });
    expect(jsonOf<Card>(young)).toMatchObject({
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: url.replace(/rpc$/, 'v1'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      securitySchemes: { apiKey: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    });
    expect(jsonOf<Card>(young)).not.toHaveProperty('url');
  });

  test('are kept by clients as long as they are the same', async () => {
    covers('a2a.card');
    const [path = ''] = cardPaths(echo.slug);
    const first = await call(service, path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    expect(first.headers.get('cache-control')).toContain('private');
    expect((await call(service, path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await call(service, path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const wrong = await call(service, path, { method: 'POST', body: {} });
    refused(wrong, 405, -32600, null);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
  });

  test('are of deployed agents, for their own tenant', async () => {
    covers('a2a.card');
    const other = hexId() as TenantId;
    await db.query.insertInto('tenants').values({ id: other, name: 'Other' }).execute();
    const draft = await makeAgent(db, tenant, echoAgent, { deployed: false });
    const foreign = await makeAgent(db, other, echoAgent);
    for (const path of [draft.slug, 'unknown'].flatMap((slug) => cardPaths(slug)))
      for (const key of [service.key, null]) refused(await call(service, path, { key }), 404, -32094, null);
    for (const path of cardPaths(foreign.slug)) refused(await call(service, path), 404, -32094, null);
    for (const path of cardPaths(echo.slug)) refused(await call(service, path, { key: 'wrong' }), 401, -32095, null);
  });

  test('tell more to whoever has a key', async () => {
    covers('a2a.card.extended');
    const open = jsonOf<Card>(await call(service, cardPaths(echo.slug)[0] ?? '', { key: null }));
    expect(open.skills[0]).not.toHaveProperty('examples');
    const extended = await ask<Card>(service, echo.slug, 'agent/getAuthenticatedExtendedCard', undefined);
    expect(extended).toMatchObject({ protocolVersion: '0.3.0', skills: [{ examples: ['What is A2A?'] }] });
    expect(extended.skills[0]?.description).toContain('Ask me.');
    const young = await ask<Card>(service, echo.slug, 'GetExtendedAgentCard', {});
    expect(young).toMatchObject({ skills: [{ examples: ['What is A2A?'] }] });
    expect(young).not.toHaveProperty('protocolVersion');
    const body = rpc('agent/getAuthenticatedExtendedCard', {});
    refused(await call(service, pathOf(echo.slug), { body, key: null }), 401, -32095);
  });
});

interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}
interface OldConfig {
  readonly taskId: string;
  readonly pushNotificationConfig: { readonly id: string; readonly url: string; readonly token?: string };
}

describe('push notifications', () => {
  let hooks: Server;
  let hook: string;
  let told: Told[] = [];
  let answers: number[] = [];
  beforeAll(async () => {
    hooks = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (body += part));
      request.on('end', () => {
        told.push({ headers: request.headers, body, path: request.url ?? '' });
        response.writeHead(answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => hooks.listen(0, resolve));
    hook = `http://localhost:${(hooks.address() as AddressInfo).port}`;
  });
  afterAll(() => void hooks?.close());
  beforeEach(() => {
    told = [];
    answers = [];
  });
  const sendTo = (slug: string, text: string, pushNotificationConfig: object) =>
    ask(service, slug, 'message/send', { message: message(text), configuration: { pushNotificationConfig } });

  test('tell when an agent asks, and when it has ended', async () => {
    covers('a2a.push.told', 'a2a.push.again');
    const asking = await makeAgent(db, tenant, askingAgent);
    const url = `${hook}/one`;
    const task = await sendTo(asking.slug, 'A car', { url, token: 'my-token' });
    await eventually(() => expect(told).toHaveLength(1));
    await ask(service, asking.slug, 'message/send', { message: message('Red', { taskId: task.id }) });
    await eventually(() => expect(told).toHaveLength(2));
    const [question, end] = told.map(({ body }) => JSON.parse(body) as Task);
    expect(question).toMatchObject({ kind: 'task', id: task.id, status: { state: 'input-required' } });
    expect(end).toEqual(await ask(service, asking.slug, 'tasks/get', { id: task.id }));
    expect(end?.artifacts[0]?.parts[0]?.text).toBe('A car in Red');
    const { headers, body = '' } = told[1] ?? {};
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-a2a-notification-token': 'my-token' });

    const jwt = String(headers?.['x-a2a-notification-signature']);
    expect(headers?.authorization).toBe(`Bearer ${jwt}`);
    const keySet = await call(service, '/api/v1/external/agents/.well-known/jwks.json', { key: null });
    const [jwk] = jsonOf<{ keys: { kid: string; kty: string }[] }>(keySet).keys;
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
    expect(decode(head)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: jwk?.kid });
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    expect(verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(decode(claims)).toMatchObject({
      iss: service.base,
      aud: url,
      taskId: task.id,
      request_body_sha256: createHash('sha256').update(body).digest('hex'),
    });
    const row = await db.query
      .selectFrom('agent_push_configs')
      .select(['done', 'secrets'])
      .where('run_id', '=', task.id)
      .executeTakeFirstOrThrow();
    expect(row.done).toBe(true);
    expect(row.secrets).not.toContain('my-token');
  });

  test('come in 1.0 form where they were asked for so, with the credentials of the receiver', async () => {
    covers('a2a.push.told');
    const { task } = await ask<{ task: Task }>(service, echo.slug, 'SendMessage', {
      message: { role: 'ROLE_USER', messageId: hexId(), parts: [{ text: 'Hi' }] },
      configuration: {
        taskPushNotificationConfig: { url: `${hook}/ten`, authentication: { scheme: 'Basic', credentials: 'abc' } },
      },
    });
    await eventually(() => expect(told).toHaveLength(1));
    expect(told[0]?.headers).toMatchObject({ 'content-type': 'application/a2a+json', authorization: 'Basic abc' });
    expect(told[0]?.headers).not.toHaveProperty('x-a2a-notification-token');
    expect(JSON.parse(told[0]?.body ?? '')).toMatchObject({
      task: {
        id: task.id,
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ parts: [{ text: 'You said: Hi' }] }],
      },
    });
  });

  test('bring data and files, and say which files are too large', async () => {
    covers('a2a.push.parts');
    const content = '{{input.text}}';
    const writing = chain(
      { id: 'input', kind: 'input' },
      {
        id: 'answer',
        kind: 'answer',
        text: 'Written',
        parts: [
          { kind: 'data', value: 'input.text', name: 'said' },
          { kind: 'document', name: 'large.txt', content: content.repeat(12) },
          { kind: 'document', name: 'small.txt', content },
        ],
      },
    );
    const { slug } = await makeAgent(db, tenant, writing);
    const text = 'x'.repeat(100_000);
    const task = await sendTo(slug, text, { url: `${hook}/parts` });
    await eventually(() => expect(told).toHaveLength(1));
    interface Told {
      readonly artifacts: readonly { readonly artifactId: string }[];
      readonly metadata: object;
    }
    const { artifacts, metadata } = JSON.parse(told[0]?.body ?? '') as Told;
    const whole = await ask<Told>(service, slug, 'tasks/get', { id: task.id });
    expect(artifacts).toEqual(whole.artifacts.filter(({ artifactId }) => artifactId !== 'answer.1'));
    expect(artifacts).toHaveLength(3);
    expect(metadata).toMatchObject({ files_left_out: [{ name: 'large.txt', size: 1_200_000 }] });
  });

  test('that are not taken come again, until they are, also after a restart', async () => {
    covers('a2a.push.again');
    answers = [500];
    const task = await sendTo(echo.slug, 'Hi', { url: `${hook}/again` });
    await eventually(() => expect(told).toHaveLength(1));
    const rows = db.query.selectFrom('agent_push_configs').selectAll().where('run_id', '=', task.id);
    await eventually(async () => {
      expect(await rows.executeTakeFirstOrThrow()).toMatchObject({ failure: 'its server answered 500', done: false });
    });
    await service.kill();
    await db.close();
    service = await startService({ config, dataFolder: service.dataFolder, port: service.port });
    db = await databaseOf(service);
    await eventually(() => expect(told.length).toBeGreaterThan(1));
    expect(JSON.parse(told.at(-1)?.body ?? '')).toMatchObject({ id: task.id, status: { state: 'completed' } });
    const after = db.query.selectFrom('agent_push_configs').selectAll().where('run_id', '=', task.id);
    await eventually(async () => {
      expect(await after.executeTakeFirstOrThrow()).toMatchObject({ failure: null, done: true });
    });
  });

  test('are set, read, listed and deleted in both forms', async () => {
    covers('a2a.push.configs');
    const { id: taskId } = await ask(service, echo.slug, 'message/send', { message: message('Hi') });
    const set = (pushNotificationConfig: object) =>
      ask<OldConfig>(service, echo.slug, 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig });
    const authentication = { schemes: ['Basic'], credentials: 'secret' };
    const first = await set({ url: `${hook}/a`, token: 't', authentication });
    expect(first).toEqual({
      taskId,
      pushNotificationConfig: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        url: `${hook}/a`,
        token: 't',
        authentication: { schemes: ['Basic'] },
      },
    });
    const second = await ask<{ id: string }>(service, echo.slug, 'CreateTaskPushNotificationConfig', {
      taskId,
      id: 'mine',
      url: `${hook}/b`,
    });
    expect(second).toEqual({ taskId, id: 'mine', url: `${hook}/b` });
    const { id } = first.pushNotificationConfig;
    const get = (params: object) => ask(service, echo.slug, 'tasks/pushNotificationConfig/get', params);
    expect(await get({ id: taskId })).toEqual(first);
    expect(await get({ id: taskId, pushNotificationConfigId: id })).toEqual(first);
    expect(await ask(service, echo.slug, 'GetTaskPushNotificationConfig', { taskId, id: 'mine' })).toEqual(second);
    const list = () => ask<OldConfig[]>(service, echo.slug, 'tasks/pushNotificationConfig/list', { id: taskId });
    expect((await list()).map(({ pushNotificationConfig }) => pushNotificationConfig.id)).toEqual([id, 'mine']);
    const young = await ask(service, echo.slug, 'ListTaskPushNotificationConfigs', { taskId });
    expect(young).toMatchObject({ configs: [{ id }, { id: 'mine' }], nextPageToken: '' });
    expect(JSON.stringify([await list(), young])).not.toContain('secret');
    const named = { id: taskId, pushNotificationConfigId: id };
    expect(await ask(service, echo.slug, 'tasks/pushNotificationConfig/delete', named)).toBeNull();
    expect(await ask(service, echo.slug, 'DeleteTaskPushNotificationConfig', { taskId, id: 'mine' })).toEqual({});
    expect(await list()).toEqual([]);
    const gone = rpc('tasks/pushNotificationConfig/delete', named);
    refused(await call(service, pathOf(echo.slug), { body: gone }), 400, -32602);
    const other = await makeAgent(db, tenant, echoAgent);
    const foreign = rpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { url: `${hook}/c` } });
    refused(await call(service, pathOf(other.slug), { body: foreign }), 200, -32001);
  });

  test('are at most ten of a task, also when they are set at the same time', async () => {
    covers('a2a.push.configs');
    const { id: taskId } = await sendTo(echo.slug, 'Hi', { url: `${hook}/many` });
    const set = (id: string) =>
      call(service, pathOf(echo.slug), {
        body: rpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { id, url: `${hook}/many` } }),
      });
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => set(`c${index}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(9);
    await eventually(() => expect(told).toHaveLength(10));
  });

  test('never go to private addresses', async () => {
    covers('a2a.push.private');
    const { port } = hooks.address() as AddressInfo;
    for (const url of [
      `http://127.0.0.1:${port}/x`,
      `https://127.0.0.1:${port}/x`,
      'https://2130706433/',
      'https://10.1.2.3/',
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://[::ffff:10.1.2.3]/',
      'http://example.kr/x',
      'file:///etc/passwd',
      'nowhere',
      'https://u:p@example.kr/',
    ]) {
      const params = { message: message('Hi'), configuration: { pushNotificationConfig: { url } } };
      refused(await call(service, pathOf(echo.slug), { body: rpc('message/send', params) }), 400, -32602);
    }
    // Where an address leads is looked at again whenever it is told; one that refuses is told again, as one that fails is.
    answers = [401];
    const task = await sendTo(echo.slug, 'Hi', { url: `${hook}/moved` });
    await eventually(() => expect(told).toHaveLength(1));
    await db.query
      .updateTable('agent_push_configs')
      .set({ url: `https://127.0.0.1:${port}/x` })
      .where('run_id', '=', task.id)
      .execute();
    await eventually(async () => {
      const row = await db.query
        .selectFrom('agent_push_configs')
        .select('failure')
        .where('run_id', '=', task.id)
        .executeTakeFirstOrThrow();
      expect(row.failure).toBe('the address cannot be reached, or may not be');
    });
    expect(told).toHaveLength(1);
    for (const token of ['a\r\nb: c', 'é\u0100']) {
      const params = { message: message('Hi'), configuration: { pushNotificationConfig: { url: `${hook}/x`, token } } };
      refused(await call(service, pathOf(echo.slug), { body: rpc('message/send', params) }), 400, -32602);
    }
  });
});
