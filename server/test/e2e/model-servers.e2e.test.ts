import { ModelServer, ServedModelList, WeightsList } from '@ai-studio/contract/console/models.ts';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { type ModelServer as Fake, startModelServer } from '../fakes/model-server.ts';
import { administrator, administratorEnv } from '../support/administrator-env.ts';
import { eventually } from '../support/eventually.ts';
import { chatBody } from '../support/http.ts';
import { type Service, freePort, startService, temporaryFolder } from '../support/service.ts';

const KEY = 'sk-end-to-end-never-shown';
let fake: Fake;
let dataFolder: string;
let port: number;
let service: Service;
let printed = '';

const start = async (workers: number) => {
  service = await startService({
    dataFolder,
    port,
    env: administratorEnv,
    config: { server: { workers }, probe: { enabled: false }, log: { level: 'debug' } },
  });
};
beforeAll(async () => {
  fake = await startModelServer({ models: ['remote'] });
  dataFolder = await temporaryFolder();
  port = await freePort();
  await start(2);
});
afterAll(async () => {
  await service.close();
  await fake.close();
  await rm(dataFolder, { recursive: true, force: true });
});

interface Said {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** A call over a connection of its own, so that any of the processes may have it. */
const call = (method: string, path: string, headers: Record<string, string>, body?: Buffer | string): Promise<Said> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          cookies: (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? ''),
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });

let cookie = '';
const ask = (method: string, path: string, body?: object | Buffer) =>
  call(
    method,
    `/console/api${path}`,
    {
      cookie,
      origin: service.base,
      ...(body && { 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json' }),
    },
    Buffer.isBuffer(body) ? body : body && JSON.stringify(body),
  );
const signIn = async () => {
  const { cookies } = await ask('POST', '/login', administrator);
  cookie = cookies.join('; ');
};
const complete = (model: string) =>
  call(
    'POST',
    '/v1/chat/completions',
    { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    JSON.stringify(chatBody({ model })),
  );
const restart = async (workers: number) => {
  printed += service.output();
  await service.stop();
  await start(workers);
  await signIn();
};

test('a model server that was connected serves in all processes, over restarts, until it is removed', async () => {
  await signIn();
  const models = [
    { remote_id: 'remote', id: 'new-one', kind: 'chat' },
    { remote_id: 'remote', id: 'CORE-GOV', kind: 'chat' },
  ];
  const connected = await ask('POST', '/servers', { name: 'gpu', base_url: fake.url, api_key: KEY, models });
  expect(connected.status, connected.text).toBe(201);
  const { id, state } = ModelServer.parse(JSON.parse(connected.text));
  expect(state).toBe('healthy');
  await eventually(async () => expect((await complete('new-one')).status).toBe(200));
  const serves = async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => complete(i % 2 ? 'new-one' : 'CORE-GOV')));
    for (const { status, text } of answers) {
      expect(status, text).toBe(200);
      expect(text).toContain('안녕하세요.');
    }
    expect(fake.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  };
  await serves();
  for (const workers of [1, 2]) {
    await restart(workers);
    await serves();
  }
  expect((await ask('DELETE', `/servers/${id}`)).status).toBe(204);
  await eventually(async () => {
    for (const { status } of await Promise.all(Array.from({ length: 8 }, () => complete('new-one'))))
      expect(status).toBe(400);
    for (const { text } of await Promise.all(Array.from({ length: 8 }, () => complete('CORE-GOV'))))
      expect(text).toContain('builtin');
  });
  expect(printed + service.output()).not.toContain(KEY);
});

test('a model file that was uploaded to any process is bound, loaded and removed in all', async () => {
  const path = join(dataFolder, 'script.gguf');
  writeScriptedModel(path, { routes: { answer: '올린 모델' } });
  const bytes = readFileSync(path);
  const uploaded = await ask('POST', `/weights/upload?name=script.gguf&size=${bytes.length}`, bytes);
  expect(uploaded).toMatchObject({ status: 200 });
  await eventually(async () => {
    const bound = await ask('POST', '/models/CORE-GOV/binding', { local_id: 'script' });
    expect(bound.status, bound.text).toBe(200);
  });
  const listed = async () => {
    const { items } = WeightsList.parse(JSON.parse((await ask('GET', '/weights')).text));
    return items.find((one) => one.id === 'script');
  };
  expect((await ask('POST', '/weights/script/load')).status).toBe(202);
  for (let i = 0; i < 4; i++)
    await eventually(async () => expect(await listed()).toMatchObject({ state: 'loaded', bound_to: ['CORE-GOV'] }));
  const served = ServedModelList.parse(JSON.parse((await ask('GET', '/models')).text));
  expect(served.items.find((one) => one.id === 'CORE-GOV')).toMatchObject({ bound_to: 'script', builtin: false });
  expect((await ask('DELETE', '/models/CORE-GOV/binding')).status).toBe(204);
  expect((await ask('POST', '/weights/script/unload')).status).toBe(204);
  expect((await ask('DELETE', '/weights/script')).status).toBe(204);
  expect(await listed()).toBeUndefined();
});

test('who follows what happens does not hold the stop up', async () => {
  const events = request({
    host: '127.0.0.1',
    port,
    path: '/console/api/events',
    headers: { cookie },
    agent: false,
  });
  const begun = new Promise<void>((resolve, reject) => {
    events.once('error', reject);
    events.once('response', (response) => response.once('data', () => resolve()));
  });
  events.end();
  await begun;
  const ended = new Promise<void>((resolve) => events.once('close', () => resolve()));
  // Well before the 30 seconds that open answers are given.
  const stopped = service.stop();
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('late'), 15_000).unref());
  expect(await Promise.race([Promise.all([stopped, ended]).then(() => 'in time'), late])).toBe('in time');
});
