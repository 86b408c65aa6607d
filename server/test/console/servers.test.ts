import type { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import {
  ModelServer,
  ModelServerList,
  ModelServerTestResult,
  ServedModelList,
} from '@ai-studio/contract/console/models.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { startNode } from '../../src/compose.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Logger } from '../../src/kernel/log.ts';
import { startEmbeddingServer } from '../fakes/embedding-server.ts';
import { type ModelServer as Fake, startModelServer } from '../fakes/model-server.ts';
import { type Answer, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { times } from '../support/long.ts';

const KEY = 'sk-never-to-be-seen-4711';
let gov: Fake;
let gpu: Fake;
let house: ConsoleHouse;
let ours: TenantId;
let boss: SignedInBrowser;
let dev: SignedInBrowser;
let user: SignedInBrowser;
/** Everything that was answered. */
const answered: string[] = [];

const settings = (engines: object) => ({
  STUDIO_ENGINES: JSON.stringify(engines),
  STUDIO_MODELS: JSON.stringify({ LLM42: { engines: [{ engine: 'gov', model: 'remote' }] } }),
  STUDIO_SECRET_KEY: 'a passphrase that all processes know',
});

beforeAll(async () => {
  gov = await startModelServer({ models: ['remote'] });
  gpu = await startModelServer({ models: ['Qwen/Qwen3-8B', 'BAAI/bge-m3', 'BAAI/bge-reranker-v2-m3'] });
  house = await openConsoleHouse(
    settings({ gov: { addresses: [gov.url.replace('//', '//name:hidden@')], api_key: KEY } }),
  );
  ours = await makeTenant(house, 'Ours');
  boss = await personOf(house, ours, 'administrator');
  dev = await personOf(house, ours, 'developer');
  user = await personOf(house, ours, 'user');
});
afterAll(async () => {
  await house.close();
  await Promise.all([gov.close(), gpu.close()]);
});

const refused = (answer: Answer, ...expected: [status: number, reason?: ConsoleReason]) => {
  answered.push(answer.text);
  return expectRefused(answer, ...expected);
};
const ok = (answer: Answer, status = 200) => {
  expect(answer.status, answer.text).toBe(status);
  answered.push(answer.text);
  return answer;
};
const models = [
  { remote_id: 'Qwen/Qwen3-8B', id: 'CORE-GOV', kind: 'chat' },
  { remote_id: 'BAAI/bge-m3', id: 'bge-m3', kind: 'embedding' },
];
const newServer = (over: object = {}) => ({ name: 'gpu', base_url: gpu.url, api_key: KEY, models, ...over });
const listed = async (person = boss) => ModelServerList.parse(ok(await person.get('/servers')).json());
const served = async (id: string) =>
  ServedModelList.parse(ok(await dev.get('/models')).json()).items.find((model) => model.id === id);
const say = (model: string) => dev.post('/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] });

describe('model servers', () => {
  test('of the configuration are shown without their secrets, and are not changed here', async () => {
    const { items } = await listed();
    expect(items).toEqual([
      {
        id: 'gov',
        name: 'gov',
        base_url: gov.url,
        has_api_key: true,
        from_configuration: true,
        state: 'healthy',
        reason: null,
        reason_code: null,
        reason_values: {},
        addresses: [{ base_url: gov.url, weight: 1, drained: false, resting: false, in_flight: 0 }],
        models: [{ remote_id: 'remote', id: 'LLM42', kind: 'chat' }],
        created_at: null,
      },
    ]);
    refused(await boss.delete('/servers/gov'), 409);
    refused(await boss.patch('/servers/gov', { api_key: null }), 409);
    refused(await boss.post('/servers', newServer({ name: 'gov' })), 409, 'name_taken');
  });

  test('are tried before they are connected', async () => {
    const tried = async (body: object) =>
      ModelServerTestResult.parse(ok(await boss.post('/servers/test', body)).json());
    expect(await tried({ base_url: gpu.url, api_key: KEY })).toEqual({
      ok: true,
      reason: null,
      message: null,
      problem: null,
      values: {},
      latency_ms: expect.any(Number),
      models: [
        { remote_id: 'Qwen/Qwen3-8B', kind: 'chat' },
        { remote_id: 'BAAI/bge-m3', kind: 'embedding' },
        { remote_id: 'BAAI/bge-reranker-v2-m3', kind: 'rerank' },
      ],
    });
    expect(await tried({ base_url: 'http://127.0.0.1:9/v1', api_key: KEY })).toMatchObject({
      ok: false,
      reason: 'server_unreachable',
      problem: 'nothing_listens_here',
      values: { host: '127.0.0.1:9' },
    });
    expect(await tried({ base_url: `${house.base}/readyz` })).toMatchObject({ reason: 'server_not_openai' });
    expect(await tried({ base_url: `${house.base}/v1`, api_key: KEY })).toMatchObject({ reason: 'server_refused' });
  });

  test('answer in place of what served an id, under its profile, until they are removed', async () => {
    expect(await served('CORE-GOV')).toMatchObject({ origin: 'catalogue', builtin: true });
    const { id, ...server } = ModelServer.parse(ok(await boss.post('/servers', newServer()), 201).json());
    expect(server).toMatchObject({
      name: 'gpu',
      has_api_key: true,
      from_configuration: false,
      state: 'healthy',
      models,
    });
    expect(await served('CORE-GOV')).toMatchObject({
      origin: 'catalogue',
      builtin: false,
      reasoning: 'off',
      context_length: 8192,
      engines: [{ name: 'gpu', model: 'Qwen/Qwen3-8B', state: 'healthy', reason: null, in_flight: 0 }],
    });
    expect(await served('bge-m3')).toMatchObject({ origin: 'server', kind: 'embedding', bound_to: null });
    const reply = ok(await say('CORE-GOV')).json<ChatReply>();
    expect(reply.choices[0]?.message.content).toBe('안녕하세요.');
    expect(gpu.requests.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      json: { model: 'Qwen/Qwen3-8B' },
    });

    ok(await boss.patch(`/servers/${id}`, { models: [{ ...models[1], id: 'vectors' }] }));
    expect(await served('bge-m3')).toBeUndefined();
    expect(await served('CORE-GOV')).toMatchObject({ builtin: true });
    expect(refused(await boss.patch(`/servers/${id}`, { base_url: gov.url }), 400).param).toBe('api_key');
    expect(ok(await boss.post(`/servers/${id}/refresh`)).json()).toMatchObject({ ok: true });
    refused(await boss.post('/servers', newServer()), 409, 'name_taken');

    ok(await boss.delete(`/servers/${id}`), 204);
    expect(await served('vectors')).toBeUndefined();
    expect((await listed()).items).toHaveLength(1);
    for (const answer of [
      await boss.delete(`/servers/${id}`),
      await boss.patch(`/servers/${id}`, {}),
      await boss.post(`/servers/${id}/refresh`),
      await boss.post('/servers/test', { base_url: gpu.url, server_id: id }),
    ])
      refused(answer, 404);
    const log = await house.db.query.selectFrom('audit_events').select(['action', 'detail']).execute();
    expect(log.map(({ action }) => action)).toEqual(['server_connected', 'server_changed', 'server_removed']);
    answered.push(JSON.stringify(log));
  });

  test('have their embedding models asked what they do once they are connected', async () => {
    const embedder = await startEmbeddingServer({ kind: 'tei', model: 'own', autoTruncate: true, wantsPrefixes: true });
    try {
      const own = { name: 'tei', base_url: embedder.url, api_key: null };
      const server = { ...own, models: [{ remote_id: 'own', id: 'own-vectors', kind: 'embedding' }] };
      const { id } = ModelServer.parse(ok(await boss.post('/servers', server), 201).json());
      await eventually(async () =>
        expect(await served('own-vectors')).toMatchObject({
          context_length: 512,
          embedding: {
            max_tokens: 512,
            server_tokens: 512,
            dimension: 16,
            declared_dimension: null,
            shortens: false,
            cuts_silently: true,
            prefix_sensitive: true,
            problem: null,
          },
        }),
      );
      ok(await boss.delete(`/servers/${id}`), 204);
    } finally {
      await embedder.close();
    }
  });

  test('that were connected serve in another process on the same database, until they are removed', async () => {
    const logged: string[] = [];
    const note = (fields: object, message: string) => void logged.push(message + JSON.stringify(fields));
    const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
    const dataDir = temporaryFolder();
    const env = { STUDIO_DATA_DIR: dataDir, STUDIO_PROBE_ENABLED: 'false', ...settings({}), STUDIO_MODELS: '{}' };
    const { config, catalogue } = loadConfig({ env, cwd: dataDir });
    const { connection } = house.fresh;
    const other = await startNode({
      config: { ...config, server: { ...config.server, port: 0 } },
      catalogue,
      connection,
      version: '0',
      log,
    });
    try {
      const { id } = ModelServer.parse(ok(await boss.post('/servers', newServer()), 201).json());
      const away = () =>
        fetch(`http://127.0.0.1:${other.port}/console/api/chat/completions`, {
          method: 'POST',
          headers: { cookie: dev.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
          body: JSON.stringify({ model: 'CORE-GOV', messages: [{ role: 'user', content: 'Hello' }] }),
        }).then((response) => response.text());
      await eventually(async () => expect(await away()).toContain('안녕하세요.'));
      ok(await boss.delete(`/servers/${id}`), 204);
      await eventually(async () => expect(await away()).toContain('builtin'));
      expect(logged.join('\n')).not.toContain(KEY);
    } finally {
      await other.close(0);
    }
  });

  test('are seen by developers and changed by administrators of the only tenant', async () => {
    refused(await user.get('/servers'), 403, 'role_missing');
    refused(await user.get('/models'), 403, 'role_missing');
    const seen = await listed(dev);
    expect(seen.items.map(({ name }) => name)).toContain('gov');
    // Where they stand is for those who connect them.
    expect(new Set(seen.items.map(({ base_url }) => base_url))).toEqual(new Set(['']));
    for (const [method, path] of [
      ['POST', '/servers'],
      ['POST', '/servers/test'],
      ['PATCH', '/servers/x'],
      ['DELETE', '/servers/x'],
      ['POST', '/servers/x/refresh'],
      ['POST', '/models/CORE-GOV/binding'],
      ['DELETE', '/models/CORE-GOV/binding'],
    ] as const)
      refused(await dev.send(method, path, method === 'DELETE' ? undefined : newServer()), 403, 'role_missing');
    const second = await makeTenant(house, 'Second');
    refused(await boss.post('/servers', newServer()), 403, 'role_missing');
    await house.db.query.deleteFrom('tenants').where('id', '=', second).execute();
  });

  test('of wrong form are refused in words', async () => {
    for (const [over, param] of [
      [{ name: 'Not A Name' }, 'name'],
      [{ base_url: 'file:///etc/passwd' }, 'base_url'],
      [{ base_url: 'http://a:b@127.0.0.1/' }, 'base_url'],
      [{ api_key: 'a b' }, 'api_key'],
      [{ models: [] }, 'models'],
      [{ models: [{ ...models[0], kind: 'rerank' }] }, 'models[0].id'],
    ] as const)
      expect(refused(await boss.post('/servers', newServer(over)), 400, 'invalid_field').param).toBe(param);
  });

  test('are never looked for at link-local addresses and those of cloud metadata, however they are written', async () => {
    for (const base_url of [
      'http://169.254.169.254/v1',
      'http://2852039166/latest/meta-data',
      'http://0xa9fea9fe',
      'http://[::ffff:169.254.169.254]',
      'http://[::ffff:a9fe:a9fe]/v1',
      'http://[fe80::1]:8000/v1',
      'http://[64:ff9b::a9fe:a9fe]',
      'https://[fd00:ec2::254]',
      'http://100.100.100.200',
    ]) {
      const tried = ok(await boss.post('/servers/test', { base_url })).json();
      expect(tried, base_url).toMatchObject({ ok: false, reason: 'server_unreachable', problem: 'not_allowed' });
      const error = refused(await boss.post('/servers', newServer({ base_url })), 400, 'engine_closed_address');
      expect(error.param).toBe('base_url');
    }
    const made = ModelServer.parse(ok(await boss.post('/servers', newServer()), 201).json());
    const moved = { base_url: 'http://169.254.169.254/v1', api_key: null };
    refused(await boss.patch(`/servers/${made.id}`, moved), 400, 'engine_closed_address');
    // One that was kept by an earlier version is not asked either, and says why.
    await house.db.query.updateTable('model_servers').set({ base_url: moved.base_url }).execute();
    await boss.patch(`/servers/${made.id}`, { models: [models[1]] });
    expect(ok(await boss.post(`/servers/${made.id}/refresh`)).json()).toMatchObject({ problem: 'not_allowed' });
    ok(await boss.delete(`/servers/${made.id}`), 204);
  });

  test('that do not answer say why by name', async () => {
    const broken = await startModelServer();
    const made = ok(await boss.post('/servers', newServer({ base_url: broken.url })), 201).json<{ id: string }>();
    await broken.close();
    await eventually(async () => {
      const found = (await listed()).items.find(({ id }) => id === made.id);
      expect(found).toMatchObject({ state: 'unhealthy', reason_code: 'engine_refuses', reason_values: {} });
    });
    ok(await boss.delete(`/servers/${made.id}`), 204);
  });

  test('no input is a failure of the service', async () => {
    const value = fc.oneof(fc.jsonValue(), anyText({ maxLength: 30 }), fc.constant('\0'));
    const body = fc.oneof(
      value,
      fc.record(
        { name: value, base_url: value, api_key: value, models: value, server_id: value },
        { requiredKeys: [] },
      ),
      fc.record({
        name: fc.constant('n'),
        base_url: fc.constant('http://127.0.0.1:9'),
        api_key: fc.constant(null),
        models: fc.array(fc.record({ remote_id: value, id: value, kind: value }), { maxLength: 2 }),
      }),
    );
    const id = fc.oneof(fc.constant('gov'), anyText({ maxLength: 40 })).map(encodeURIComponent);
    const path = fc.oneof(
      fc.constant(['POST', '/servers'] as const),
      fc.constant(['POST', '/servers/test'] as const),
      id.map((one) => ['PATCH', `/servers/${one}`] as const),
      id.map((one) => ['DELETE', `/servers/${one}`] as const),
      id.map((one) => ['POST', `/servers/${one}/refresh`] as const),
      id.map((one) => ['POST', `/models/${one}/binding`] as const),
      id.map((one) => ['DELETE', `/models/${one}/binding`] as const),
    );
    await fc.assert(
      fc.asyncProperty(path, body, async ([method, to], given) => {
        const { status, text } = await boss.send(method, to, method === 'DELETE' ? undefined : JSON.stringify(given), {
          'content-type': 'application/json',
        });
        answered.push(text);
        expect(status, text).toBeLessThan(500);
      }),
      { numRuns: times(50, 150) },
    );
    await house.db.query.deleteFrom('model_servers').execute();
  });

  test('never show a key', () => {
    expect(answered.length).toBeGreaterThan(20);
    expect(answered.join('\n')).not.toContain(KEY);
    expect(answered.join('\n')).not.toContain('hidden');
  });
});
