import {
  ModelEvent,
  ModelServer,
  ServedModel,
  ServedModelList,
  Weights,
  WeightsCollections,
  WeightsFound,
  WeightsList,
} from '@ai-studio/contract/console/models.ts';
import { CollectionOptions, ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeEmbeddingModel, writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { anyText } from '../support/any-text.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { startModelServer } from '../fakes/model-server.ts';
import { type Answer, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { times } from '../support/long.ts';
import { insertCollection } from '../support/ingest-jobs.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let boss: SignedInBrowser;
let dev: SignedInBrowser;
let user: SignedInBrowser;
let hub: Server;
let mirror: string;
let model: Buffer;
/** Answers of the hub that wait for the test. */
const held: ServerResponse[] = [];
let hold = false;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'studio-weights-'));
  model = readFileSync(writeScriptedModel(join(folder, 'origin.gguf'), { routes: { answer: '안녕하세요' } }));
  await rm(folder, { recursive: true });
  hub = createServer((request, response) => {
    if (request.url?.includes('missing') === true) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': model.length });
    if (!hold) return void response.end(model);
    response.write(model.subarray(0, 100_000));
    held.push(response);
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  mirror = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  house = await openConsoleHouse({ STUDIO_LOCAL_MODELS_MIRROR: mirror });
  const ours = await makeTenant(house, 'Ours');
  boss = await personOf(house, ours, 'administrator');
  dev = await personOf(house, ours, 'developer');
  user = await personOf(house, ours, 'user');
});
afterAll(async () => {
  await house.close();
  hub.closeAllConnections();
  await new Promise((resolve) => hub.close(resolve));
});

const ok = (answer: Answer, status = 200) => {
  expect(answer.status, answer.text).toBe(status);
  return answer;
};
const list = async () => WeightsList.parse(ok(await dev.get('/weights')).json());
const entry = async (id: string): Promise<Weights | undefined> =>
  (await list()).items.find((one) => one.id === id || one.local_id === id);
/** A collection whose vectors the uploaded model makes. */
const needs = async (tenantId: TenantId, name: string) => {
  const id = await insertCollection(house.db.query, tenantId);
  const model = JSON.stringify({ embedding_model: 'uploaded' });
  await house.db.query
    .updateTable('collections')
    .set({ name, ingest_config: sql<string>`ingest_config || ${model}::jsonb` })
    .where('id', '=', id)
    .execute();
  return id;
};
const untilState = (id: string, state: Weights['state']) =>
  eventually(async () => {
    const found = await entry(id);
    expect(found?.state, found?.reason ?? '').toBe(state);
    return found;
  });

/** A piece of a file, as a browser sends it. */
const upload = async (query: Record<string, string | number>, body: Buffer, person = boss) => {
  const text = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const response = await fetch(`${house.base}/console/api/weights/upload?${text.join('&')}`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
  });
  const said = await response.text();
  return { status: response.status, headers: response.headers, text: said, json: <T>() => JSON.parse(said) as T };
};

describe('an upload', () => {
  test('comes in pieces, appears when it is whole, and answers', async () => {
    const cut = Math.floor(model.length / 2);
    const about = { name: 'Uploaded.gguf', size: model.length };
    expect(ok(await upload(about, model.subarray(0, cut))).json()).toEqual({ received: cut, local_id: null });
    expect(await entry('uploaded')).toBeUndefined();
    const late = expectRefused(await upload({ ...about, offset: cut + 1 }, model.subarray(cut + 1)), 409);
    expect(late.values).toEqual({ received: cut });
    const whole = ok(await upload({ ...about, offset: cut }, model.subarray(cut))).json();
    expect(whole).toEqual({ received: model.length, local_id: 'uploaded' });
    const found = await untilState('uploaded', 'ready');
    expect(found).toMatchObject({ local_id: 'uploaded', kind: 'chat', verified: true, size_bytes: model.length });
    const { folder } = await list();
    expect(readFileSync(join(folder, 'Uploaded.gguf')).equals(model)).toBe(true);
    expect(await readdir(join(folder, '.uploads'))).toEqual([]);
    await eventually(async () => {
      const reply = await dev.post('/chat/completions', {
        model: 'uploaded',
        messages: [{ role: 'user', content: 'say answer' }],
        max_tokens: 20,
      });
      expect(ok(reply).text).toContain('안녕하세요');
    });
    const log = await house.db.query.selectFrom('audit_events').select(['action', 'target_name']).execute();
    expect(log).toEqual([{ action: 'model_imported', target_name: 'Uploaded.gguf' }]);
  });

  test('may have a name of any script, and an id of its own', async () => {
    for (const [name, id] of [
      ['스크립트 모델 (테스트).gguf', '스크립트-모델-테스트-'],
      [`${'긴'.repeat(65)}.gguf`, '긴'.repeat(65)],
    ] as const) {
      expect(ok(await upload({ name, size: model.length }, model)).json()).toEqual({
        received: model.length,
        local_id: id,
      });
      const reply = await dev.post('/chat/completions', {
        model: id,
        messages: [{ role: 'user', content: 'say answer' }],
        max_tokens: 20,
      });
      expect(ok(reply).text).toContain('안녕하세요');
      ok(await boss.delete(`/weights/${encodeURIComponent(id)}`), 204);
    }
  });

  test('of what is no model is refused, and nothing of it stays', async () => {
    const bytes = Buffer.alloc(1000, 'x');
    expectRefused(await upload({ name: 'a.gguf', size: 1000 }, bytes), 400, 'not_a_model_file');
    const cutOff = model.subarray(0, 5000);
    expectRefused(await upload({ name: 'a.gguf', size: 5000 }, cutOff), 400, 'not_a_model_file');
    expectRefused(await upload({ name: 'a.gguf', size: 10 }, model), 400, 'not_a_model_file');
    expect(await readdir(join((await list()).folder, '.uploads'))).toEqual([]);
    expect(await entry('a')).toBeUndefined();
  });

  test('has a name that leads nowhere else, room on the disk, and the right form', async () => {
    for (const name of ['../a.gguf', 'a/b.gguf', '.a.gguf', 'a.txt', '', 'a\0.gguf'])
      expectRefused(await upload({ name, size: 10 }, model), 400, 'invalid_field');
    expectRefused(await upload({ name: 'a.gguf', size: Number.MAX_SAFE_INTEGER }, model.subarray(0, 10)), 413);
    expectRefused(await boss.post('/weights/upload?name=a.gguf&size=4', {}), 415);
    expectRefused(await upload({ name: 'a.gguf', size: 10 }, model, dev), 403, 'role_missing');
    const other = Buffer.from(model);
    other[other.length - 1] = 255 - (other.at(-1) ?? 0);
    expectRefused(await upload({ name: 'Uploaded.gguf', size: model.length }, other), 409, 'file_exists');
  });
});

describe('model files', () => {
  test('are loaded, kept, let go and removed', async () => {
    ok(await boss.post('/weights/uploaded/load'), 202);
    await untilState('uploaded', 'loaded');
    expect((await list()).memory_used_bytes).toBeGreaterThan(0);
    ok(await boss.post('/weights/uploaded/unload'), 204);
    await untilState('uploaded', 'ready');
    ok(await boss.post('/weights/uploaded/pin', { pinned: true }), 204);
    await untilState('uploaded', 'loaded');
    expect(await entry('uploaded')).toMatchObject({ pinned: true });
    ok(await boss.post('/weights/uploaded/pin', { pinned: false }), 204);
    expect(await entry('uploaded')).toMatchObject({ pinned: false });
    // What is so already is no act.
    ok(await boss.post('/weights/uploaded/pin', { pinned: false }), 204);
    const log = await house.db.query.selectFrom('audit_events').select(['action', 'target_name']).execute();
    expect(log.filter(({ action }) => /pinned/.test(action))).toEqual([
      { action: 'model_pinned', target_name: 'uploaded' },
      { action: 'model_unpinned', target_name: 'uploaded' },
    ]);
  });

  test('serve ids of the catalogue, and stay while they do', async () => {
    const bound = ServedModel.parse(ok(await boss.post('/models/CORE-GOV/binding', { local_id: 'uploaded' })).json());
    expect(bound).toMatchObject({
      bound_to: 'uploaded',
      builtin: false,
      engines: [{ name: 'llama', model: 'uploaded', state: 'healthy' }],
    });
    expect(await entry('uploaded')).toMatchObject({ bound_to: ['CORE-GOV'] });
    expect(expectRefused(await boss.delete('/weights/uploaded'), 409, 'model_in_use').values).toEqual({
      models: 'CORE-GOV',
    });
    ok(await boss.delete('/models/CORE-GOV/binding'), 204);
    const { items } = ServedModelList.parse(ok(await dev.get('/models')).json());
    expect(items.find(({ id }) => id === 'CORE-GOV')).toMatchObject({ bound_to: null, builtin: true });
    expect(items.find(({ id }) => id === 'uploaded')).toMatchObject({ origin: 'local', bound_to: null });
    ok(await boss.post(`/models/${encodeURIComponent('vendor/gpt-oss-120b')}/binding`, { local_id: 'uploaded' }));
    ok(await boss.delete(`/models/${encodeURIComponent('vendor/gpt-oss-120b')}/binding`), 204);
  });

  test('are given names that nobody had, by which they are asked for, and lose them again', async () => {
    const path = `/models/${encodeURIComponent('own/name-1')}/binding`;
    const named = ServedModel.parse(ok(await boss.post(path, { local_id: 'uploaded' })).json());
    expect(named).toMatchObject({
      id: 'own/name-1',
      origin: 'local',
      bound_to: 'uploaded',
      engines: [{ name: 'llama', model: 'uploaded', state: 'healthy' }],
    });
    expectRefused(await boss.post('/models/uploaded/binding', { local_id: 'uploaded' }), 400);
    expectRefused(await boss.post(`/models/${'x'.repeat(201)}/binding`, { local_id: 'uploaded' }), 400);
    expect(await entry('uploaded')).toMatchObject({ bound_to: ['own/name-1'] });
    ok(await boss.delete(path), 204);
    const { items } = ServedModelList.parse(ok(await dev.get('/models')).json());
    expect(items.map(({ id }) => id)).not.toContain('own/name-1');
  });

  test('that embed are read as somebody says, and tried at once', async () => {
    const path = join(house.dataFolder, 'models', 'own-embedder.gguf');
    writeEmbeddingModel(path, { words: ['river'] });
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(path, minuteAgo, minuteAgo);
    await untilState('own-embedder', 'ready');
    const nothing = { pooling: null, max_tokens: null, query_prefix: null, passage_prefix: null, normalize: null };
    expect((await entry('own-embedder'))?.embedding).toEqual({ ...nothing, trial: null });
    const settings = { ...nothing, pooling: 'cls', max_tokens: 200, query_prefix: 'query: ', normalize: false };
    const put = (id: string, body: object, who = boss) => who.send('PUT', `/weights/${id}/embedding`, body);
    const changed = Weights.parse(ok(await put('own-embedder', settings)).json());
    expect(changed.embedding).toMatchObject({ ...settings, trial: { dimension: 64, max_tokens: 200, problem: null } });
    const { items } = ServedModelList.parse(ok(await dev.get('/models')).json());
    expect(items.find(({ id }) => id === 'own-embedder')?.embedding).toMatchObject({
      max_tokens: 200,
      dimension: 64,
      query_prefix: 'query: ',
      norm: changed.embedding?.trial?.norm,
    });
    expectRefused(await put('own-embedder', { ...settings, pooling: 'median' }), 400, 'invalid_field');
    expectRefused(await put('own-embedder', settings, dev), 403, 'role_missing');
    expectRefused(await put('uploaded', settings), 400, 'model_kind_differs');
    expectRefused(await put('nothing', settings), 404);
    const log = await house.db.query.selectFrom('audit_events').select(['action', 'target_name']).execute();
    expect(log.filter(({ action }) => action === 'embedder_configured')).toEqual([
      { action: 'embedder_configured', target_name: 'own-embedder' },
    ]);
    // The settings go with the file.
    ok(await boss.delete('/weights/own-embedder'), 204);
    expect(await house.db.query.selectFrom('local_embedders').selectAll().execute()).toEqual([]);
  });

  test('that embed are what new collections have as the tenant says; where nobody says and several could be meant, a person is asked', async () => {
    const minuteAgo = new Date(Date.now() - 60_000);
    for (const name of ['first-embedder', 'second-embedder']) {
      const path = join(house.dataFolder, 'models', `${name}.gguf`);
      writeEmbeddingModel(path);
      await utimes(path, minuteAgo, minuteAgo);
      await untilState(name, 'ready');
    }
    const modelOfNew = async () => {
      const made = ConsoleCollection.parse(ok(await boss.post('/collections', { collection_name: 'x' }), 201).json());
      return made.ingest_config.embedding_model;
    };
    const offered = async () => {
      const { embedding_models: models, default_embedding_model: standard } = CollectionOptions.parse(
        ok(await boss.get('/collection-options')).json(),
      );
      return { standard, first: models[0]?.id };
    };
    // The catalogue follows the folder a moment later.
    await expect.poll(offered).toEqual({ standard: null, first: 'first-embedder' });
    expect(await modelOfNew()).toBe('lexical');
    const choose = (id: string | null) => boss.patch('/settings', { default_embedding_model: id });
    ok(await choose('second-embedder'));
    expect(await offered()).toEqual({ standard: 'second-embedder', first: 'second-embedder' });
    expect(await modelOfNew()).toBe('second-embedder');
    for (const id of ['uploaded', 'nothing']) expectRefused(await choose(id), 400);
    ok(await choose('lexical'));
    expect(await modelOfNew()).toBe('lexical');
    ok(await choose(null));
    ok(await boss.delete('/weights/first-embedder'), 204);
    await expect.poll(offered).toEqual({ standard: 'second-embedder', first: 'second-embedder' });
    await house.db.query.deleteFrom('collections').where('tenant_id', '=', boss.tenantId).execute();
    ok(await boss.delete('/weights/second-embedder'), 204);
  });

  test('are not deleted unasked while collections need them', async () => {
    const id = await needs(boss.tenantId, '인사 규정');
    const needed = await boss.get('/weights/uploaded/collections');
    expect(WeightsCollections.parse(ok(needed).json())).toEqual({ names: ['인사 규정'], others: 0 });
    expectRefused(await boss.delete('/weights/uploaded'), 409, 'model_in_use');
    expect(await entry('uploaded')).toBeDefined();
    await house.db.query.deleteFrom('collections').where('id', '=', id).execute();
    expect(WeightsCollections.parse(ok(await boss.get('/weights/uploaded/collections')).json())).toEqual({
      names: [],
      others: 0,
    });
  });

  test('take an id over from a model server, and give it back', async () => {
    const fake = await startModelServer({ models: ['remote'] });
    const models = [{ remote_id: 'remote', id: 'remote-one', kind: 'chat' }];
    const connect = (name: string) =>
      boss.post('/servers', { name, base_url: fake.url, api_key: null, models }).then((answer) => ok(answer, 201));
    const engineOf = async () => {
      const { items } = ServedModelList.parse(ok(await dev.get('/models')).json());
      return items.find(({ id }) => id === 'remote-one')?.engines.map(({ name }) => name);
    };
    const own = { name: 'gpu', base_url: fake.url, api_key: null, models: [{ ...models[0], id: 'uploaded' }] };
    expectRefused(await boss.post('/servers', own), 409, 'name_taken');
    const { id } = ModelServer.parse((await connect('gpu')).json());
    ok(await boss.post('/models/remote-one/binding', { local_id: 'uploaded' }));
    expect(await engineOf()).toEqual(['llama']);
    ok(await boss.delete('/models/remote-one/binding'), 204);
    expect(await engineOf()).toEqual(['gpu']);
    // The later act counts.
    ok(await boss.post('/models/remote-one/binding', { local_id: 'uploaded' }));
    const spare = ModelServer.parse((await connect('spare')).json());
    expect(await engineOf()).toEqual(['gpu', 'spare']);
    for (const one of [spare.id, id]) ok(await boss.delete(`/servers/${one}`), 204);
    ok(await boss.delete('/models/remote-one/binding'), 204);
    await fake.close();
    await needs(boss.tenantId, '휴가');
    ok(await boss.delete('/weights/uploaded?used=true'), 204);
    expect(await entry('uploaded')).toBeUndefined();
  });

  test('that are not there are not found, and who may not change them does not', async () => {
    for (const [method, path, body] of [
      ['POST', '/weights/nothing/load'],
      ['POST', '/weights/nothing/unload'],
      ['POST', '/weights/nothing/cancel'],
      ['POST', '/weights/nothing/pin', { pinned: true }],
      ['DELETE', '/weights/nothing'],
      ['DELETE', '/models/nothing/binding'],
      ['DELETE', '/models/CORE-GOV/binding'],
      ['POST', '/models/nothing/binding', { local_id: 'a' }],
      ['POST', '/models/CORE-GOV/binding', { local_id: 'nothing' }],
      ['POST', '/weights/pull', { what: 'nothing' }],
      ['POST', '/weights/qwen3-4b/load'],
    ] as const) {
      expectRefused(await boss.send(method, path, body), 404);
      expectRefused(await dev.send(method, path, body), 403, 'role_missing');
    }
    expectRefused(await user.get('/weights'), 403, 'role_missing');
    expectRefused(await user.get('/weights/search'), 403, 'role_missing');
    expectRefused(await user.get('/events'), 403, 'role_missing');
  });

  test('are found by words', async () => {
    const found = WeightsFound.parse(ok(await dev.get('/weights/search?text=qwen%20rerank')).json());
    expect(found.items.length).toBeGreaterThan(0);
    for (const { id, kind } of found.items) expect(`${id} ${kind}`).toContain('rerank');
    const all = WeightsFound.parse(ok(await dev.get('/weights/search')).json());
    expect(all.items.length).toBeGreaterThan(found.items.length);
    for (const one of all.items) {
      expect(one).toMatchObject({ state: 'absent', verified: null, local_id: null, resume: null });
      expect(one.description?.ko).toMatch(/[가-힣]/);
      expect(one.name).not.toMatch(/: |,/);
    }
    const exaone = all.items.find(({ id }) => id.startsWith('exaone'));
    expect(exaone?.license_note?.ko).toContain('연구와 교육');
    expect(exaone?.license_note?.en).toContain('research and education');
  });

  test('that are damaged stand in the list with what is wrong, and are offered to nobody', async () => {
    const { folder } = await list();
    // Moved in, so that nobody sees it being written.
    const path = join(folder, 'torn.part');
    await writeFile(path, model.subarray(0, model.length - 1000));
    const old = Date.now() / 1000 - 600;
    await utimes(path, old, old);
    await rename(path, join(folder, 'torn.gguf'));
    expect(await untilState('torn', 'failed')).toMatchObject({
      reason_code: 'file_incomplete',
      reason_values: { have_bytes: model.length - 1000, all_bytes: model.length },
    });
    expectRefused(await boss.post('/weights/torn/load'), 409, 'file_incomplete');
    expectRefused(await boss.post('/models/CORE-GOV/binding', { local_id: 'torn' }), 409, 'file_incomplete');
    const { items } = ServedModelList.parse(ok(await dev.get('/models')).json());
    expect(items.map(({ id }) => id)).not.toContain('torn');
    ok(await boss.delete('/weights/torn'), 204);
  });
});

/** Follows the events until the test has seen enough. */
async function follow(person: SignedInBrowser) {
  const ending = new AbortController();
  const response = await fetch(`${house.base}/console/api/events`, {
    headers: { cookie: person.cookie },
    signal: ending.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events: ModelEvent[] = [];
  const ended = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts)
        if (part.startsWith('data: ')) events.push(ModelEvent.parse(JSON.parse(part.slice('data: '.length))));
    }
  })().catch(() => undefined);
  const statesOf = (id: string) =>
    events.flatMap((event) =>
      event.type === 'weights'
        ? event.weights.items.filter((one) => one.id === id || one.local_id === id).map(({ state }) => state)
        : [],
    );
  return { events, ended, statesOf, end: () => ending.abort() };
}

test('models of the catalogue say whether they suit this machine, those that do first', async () => {
  const { items } = WeightsFound.parse(ok(await dev.get('/weights/search?text=qwen')).json());
  expect(items.length).toBeGreaterThan(5);
  for (const { fit, fit_reasons: reasons } of items) {
    expect(fit).not.toBeNull();
    expect(reasons[0]?.en).toMatch(/memory/);
    expect(reasons[0]?.ko).toMatch(/메모리/);
  }
  const order = ['good', 'slow', 'no'];
  const fits = items.map(({ fit }) => order.indexOf(fit ?? ''));
  expect(fits).toEqual(fits.toSorted((a, b) => a - b));
});

describe('a download', () => {
  test('goes on after its call, is followed, ended and continued', async () => {
    const what = `${mirror}/some/where/pulled.gguf?token=mine`;
    const followed = await follow(dev);
    await eventually(() => expect(followed.events[0]?.type).toBe('weights'));
    hold = true;
    ok(await boss.post('/weights/pull', { what }), 202);
    await untilState('pulled', 'downloading');
    await eventually(async () =>
      expect(await entry('pulled')).toMatchObject({ size_bytes: model.length, verified: null }),
    );
    await eventually(() => expect(followed.statesOf('pulled')).toContain('downloading'));
    expectRefused(await boss.post('/weights/pull', { what }), 409, 'download_running');
    expectRefused(await boss.delete('/weights/pulled'), 409, 'download_running');
    ok(await boss.post('/weights/pulled/cancel'), 204);
    await untilState('pulled', 'absent');
    expectRefused(await boss.post('/weights/pulled/cancel'), 404);
    hold = false;
    for (const response of held.splice(0)) response.destroy();
    ok(await boss.post('/weights/pull', { what }), 202);
    expect(await untilState('pulled', 'ready')).toMatchObject({ resume: null });
    await eventually(() => {
      expect(followed.statesOf('pulled')).toContain('ready');
      expect(followed.events.map(({ type }) => type)).toContain('models');
    });
    await eventually(async () => {
      const { items } = ServedModelList.parse(ok(await dev.get('/models')).json());
      expect(items.map(({ id }) => id)).toContain('pulled');
    });
    const log = await house.db.query.selectFrom('audit_events').select(['action', 'target_name']).execute();
    const pulls = log.filter(({ action }) => action === 'model_download');
    expect(pulls.map(({ target_name: name }) => name)).toEqual([
      what.slice(0, -'?token=mine'.length),
      what.slice(0, -'?token=mine'.length),
    ]);
    const ended = log.filter(({ action }) => action === 'model_download_canceled');
    expect(ended.map(({ target_name: name }) => name)).toEqual(['pulled']);
    followed.end();
    await followed.ended;
  });

  test('of a model that is not pinned wholly begins for who confirms it', async () => {
    const what = 'midm-2.0-mini';
    expect(await entry(what)).toMatchObject({ unverified: true, state: 'absent' });
    expectRefused(await boss.post('/weights/pull', { what }), 409, 'download_unverified');
    ok(await boss.post('/weights/pull', { what, unverified: true }), 202);
    await untilState(what, 'ready');
    ok(await boss.delete(`/weights/${what}`), 204);
    expect(await entry('qwen3.5-4b')).toMatchObject({ unverified: false });
  });

  test('that fails says why', async () => {
    // It may have failed before its call was answered.
    await boss.post('/weights/pull', { what: `${mirror}/missing.gguf` });
    await eventually(async () => expect((await entry('missing'))?.state).toBe('failed'));
    expect(await entry('missing')).toMatchObject({
      reason: expect.stringContaining('does not have it') as string,
      reason_code: 'download_missing',
      reason_values: { host: '127.0.0.1', status: 404 },
      resume: `${mirror}/missing.gguf`,
    });
    ok(await boss.delete('/weights/missing'), 204);
    expect(await entry('missing')).toBeUndefined();
  });
});

describe('events', () => {
  test('end with the session', async () => {
    const guest = await personOf(house, boss.tenantId, 'developer', 'guest');
    const followed = await follow(guest);
    await eventually(() => expect(followed.events).not.toEqual([]));
    await house.db.query.deleteFrom('sessions').where('user_id', '=', guest.userId).execute();
    await followed.ended;
  });
});

test('no input is a failure of the service', async () => {
  const value = fc.oneof(fc.jsonValue(), anyText({ maxLength: 30 }), fc.constant('\0'));
  const body = fc.oneof(value, fc.record({ what: value, local_id: value, pinned: value }, { requiredKeys: [] }));
  const id = fc.oneof(fc.constant('qwen3-4b'), anyText({ maxLength: 40 })).map(encodeURIComponent);
  const text = anyText({ maxLength: 30 }).map(encodeURIComponent);
  const call = fc.oneof(
    ...['load', 'unload', 'pin', 'cancel'].map((verb) => id.map((one) => ['POST', `/weights/${one}/${verb}`] as const)),
    id.map((one) => ['DELETE', `/weights/${one}`] as const),
    id.map((one) => ['POST', `/models/${one}/binding`] as const),
    text.map((one) => ['GET', `/weights/search?text=${one}`] as const),
    fc.tuple(text, text, text).map(([a, b, c]) => ['POST', `/weights/upload?name=${a}&size=${b}&offset=${c}`] as const),
    fc.constant(['POST', '/weights/pull'] as const),
  );
  const type = fc.constantFrom('application/json', 'application/octet-stream', 'text/plain');
  await fc.assert(
    fc.asyncProperty(call, body, type, async ([method, path], given, contentType) => {
      const sent = method === 'POST' ? JSON.stringify(given) : undefined;
      const answer = await boss.send(method, path, sent, sent === undefined ? {} : { 'content-type': contentType });
      expect(answer.status, answer.text).toBeLessThan(500);
    }),
    { numRuns: times(60, 200) },
  );
});
