import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBuiltinEngine } from '../adapters/engines/builtin/index.ts';
import { createOpenAiEngine, createServerProbe } from '../adapters/engines/openai/index.ts';
import { createPostgresBus, openDatabase } from '../adapters/postgres/index.ts';
import { type ModelServer, startModelServer } from '../../test/fakes/model-server.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts';
import { createRouter } from '../inference/index.ts';
import type { Logger } from '../kernel/log.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { createCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import { withModelServers } from '../models/served.ts';
import { createServerEngines } from './engines.ts';
import { createEngineHealth } from './health.ts';
import { createServerVerbs } from './verbs.ts';
import { watchModelServers } from './watch.ts';

const KEY = 'sk-do-not-show-0123456789';
const never = new AbortController().signal;
const code = (wanted: string, more: object = {}) => expect.objectContaining({ code: wanted, ...more });

let fresh: FreshDatabase;
let server: ModelServer;
let logged: string[];
const closers: (() => Promise<unknown> | void)[] = [];
beforeEach(async () => {
  fresh = await freshDatabase();
  server = await startModelServer({ models: ['Qwen/Qwen3-8B', 'BAAI/bge-m3', 'whisper-1'] });
  logged = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await server.close();
  await fresh.close();
});

const log = (): Logger => {
  const note = (fields: object, message: string) => void logged.push(message + JSON.stringify(fields));
  const one: Logger = { debug: note, info: note, warn: note, error: note, child: () => one };
  return one;
};

/** What one process has of it all. */
async function startProcess(secret = 'a passphrase of the operator') {
  const db = await openDatabase({ connection: fresh.connection, log: log(), poolSize: 3 });
  closers.push(() => db.close());
  const bus = createPostgresBus(db);
  closers.push(() => bus.close());
  const box = createSecretBox(secret);
  const builtin = [{ engine: createBuiltinEngine(), weight: 1 }];
  const engines = new Map([
    ['builtin', builtin],
    ['gov', builtin],
  ]);
  const taken = new Set([...engines.keys(), 'llama']);
  const configured = createCatalogue({ models: {} });
  const catalogue = createLiveCatalogue(configured);
  const limits = { first_token_ms: 5_000, between_tokens_ms: 5_000, total_ms: 20_000 };
  const router = createRouter({ engines, limits, log: log() });
  closers.push(() => router.close());
  const servers = await watchModelServers({ db, bus, box, taken, log: log() });
  closers.push(() => servers.close());
  const own = createServerEngines({
    router,
    open: ({ name, baseUrl, apiKey }) => [
      { engine: createOpenAiEngine({ id: name, baseUrl, apiKey, log: log() }), weight: 1 },
    ],
  });
  closers.push(() => own.close());
  const show = () => {
    const settle = own.apply(servers.list());
    const usable = servers.list().filter(({ problem }) => problem === null);
    catalogue.replace(withModelServers(configured, usable).list());
    settle();
  };
  servers.onChange(show);
  show();
  const health = createEngineHealth({
    states: () => router.states(),
    addressesOf: (name) => engines.get(name) ?? own.addressesOf(name),
  });
  const verbs = createServerVerbs({
    db,
    bus,
    box,
    servers,
    probeServer: createServerProbe(),
    configured,
    catalogue,
    taken,
  });
  /** Vectors of a text, by the routing that requests take. */
  const embed = (id: string) => {
    const model = catalogue.get(id);
    if (!model) throw new Error(`no ${id}`);
    const call = { requestId: 'r', modelId: id, bindings: model.engines, signal: never };
    return router.call(call, (engine, name) => {
      if (!engine.embed) throw new Error('cannot embed');
      return engine.embed({ requestId: 'r', model: name, input: ['a'], dimensions: null, signal: never });
    });
  };
  return { db, catalogue, configured, router, servers, verbs, health, embed };
}

const chosen = [
  { remote_id: 'Qwen/Qwen3-8B', id: 'CORE-GOV-THINK', kind: 'chat' },
  { remote_id: 'BAAI/bge-m3', id: 'bge-m3', kind: 'embedding' },
] as const;
const gpu = (over: object = {}) => ({ name: 'gpu', base_url: server.url, api_key: KEY, models: [...chosen], ...over });

describe('a connected model server', () => {
  it('serves its ids in every process, also in one that starts later, until it is removed', async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    const before = one.catalogue.get('CORE-GOV-THINK');
    const id = await one.verbs.connect(gpu(), never);
    // Its own process has it when the verb is done.
    expect(one.catalogue.get('bge-m3')).toMatchObject({ kind: 'embedding', context_length: 8192 });
    expect(one.catalogue.get('CORE-GOV-THINK')).toMatchObject({
      engines: [{ engine: 'gpu', model: 'Qwen/Qwen3-8B' }],
      reasoning: { keys: before?.reasoning.keys },
      context_length: 8192,
    });
    await eventually(() => expect(other.catalogue.get('bge-m3')).toBeDefined());
    const late = await startProcess();
    for (const process of [one, other, late]) await process.embed('bge-m3');
    expect(server.requests).toHaveLength(3);
    for (const { headers, json } of server.requests) {
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
      expect(json['model']).toBe('BAAI/bge-m3');
    }
    expect(await one.health.of('gpu')).toEqual({
      state: 'healthy',
      reason: null,
      trouble: null,
      inFlight: 0,
    });

    expect(await other.verbs.remove(id)).toBe('gpu');
    expect(other.catalogue.get('CORE-GOV-THINK')).toEqual(before);
    await eventually(() => expect(one.catalogue.get('bge-m3')).toBeUndefined());
    await eventually(() => expect(one.router.states().map(({ engine }) => engine)).not.toContain('gpu'));
    await expect(other.verbs.remove(id)).rejects.toEqual(code('not_found'));
  });

  it('is not changed where what is part of the change fails', async () => {
    const { verbs } = await startProcess();
    const noted: string[] = [];
    const note = (_tx: unknown, { name, base_url: address }: { name: string; base_url: string }) => {
      noted.push(`${name} ${address}`);
      return Promise.resolve();
    };
    const fail = () => Promise.reject(new Error('the note could not be written'));
    await expect(verbs.connect(gpu(), never, fail)).rejects.toThrow('could not be written');
    expect(verbs.list()).toEqual([]);
    const id = await verbs.connect(gpu(), never, note);
    await expect(verbs.change(id, { models: [] }, never, fail)).rejects.toThrow('could not be written');
    await expect(verbs.remove(id, fail)).rejects.toThrow('could not be written');
    expect(verbs.list()).toMatchObject([{ id, models: [{ id: 'CORE-GOV-THINK' }, { id: 'bge-m3' }] }]);
    await verbs.change(id, { models: [] }, never, note);
    await verbs.remove(id, note);
    expect(noted).toEqual(Array.from({ length: 3 }, () => `gpu ${server.url}`));
  });

  it('is told of by a key that nobody sees', async () => {
    const { verbs, servers, db } = await startProcess();
    const id = await verbs.connect(gpu({ api_key: `  ${KEY}\n` }), never);
    const { rows } = await db.query
      .selectFrom('model_servers')
      .selectAll()
      .execute()
      .then((found) => ({ rows: JSON.stringify(found) }));
    expect(rows).not.toContain(KEY);
    expect(rows).toContain('v1.');
    expect(servers.list()[0]).toMatchObject({ id, apiKey: KEY, hasApiKey: true });
    await server.refuse();
    const found = await verbs.test({ baseUrl: server.url, apiKey: KEY, serverId: null }, never);
    expect(JSON.stringify(found) + logged.join('\n')).not.toContain(KEY);
  });

  it('changes in every process, and keeps its key for its own address only', async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    const id = await one.verbs.connect(gpu(), never);
    const since = one.servers.list()[0]?.models[0]?.boundAt;
    const [first] = chosen;
    await one.verbs.change(id, { models: [first, { ...chosen[1], id: 'vectors' }] }, never);
    await eventually(() => expect(other.catalogue.get('vectors')).toBeDefined());
    expect(other.catalogue.get('bge-m3')).toBeUndefined();
    expect(one.servers.list()[0]?.models[0]?.boundAt).toBe(since);
    await other.embed('vectors');
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

    const thief = await startModelServer();
    closers.push(() => thief.close());
    await expect(one.verbs.change(id, { base_url: thief.url }, never)).rejects.toEqual(
      code('invalid_request', { param: 'api_key' }),
    );
    const seen: (string | undefined)[] = [];
    const listener = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{"data":[]}');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => listener.close(resolve)));
    const { port } = listener.address() as AddressInfo;
    const address = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null, serverId: id };
    expect(await one.verbs.test(address, never)).toMatchObject({ ok: true });
    expect(seen).toEqual([undefined]);
    await one.verbs.change(id, { base_url: thief.url, api_key: null }, never);
    await eventually(() => expect(other.servers.list()[0]?.baseUrl).toBe(thief.url));
    await other.embed('vectors');
    expect(thief.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('refuses what cannot be', async () => {
    const { verbs } = await startProcess();
    const refused = async (over: object, expected: unknown) => {
      await expect(verbs.connect(gpu(over), never)).rejects.toEqual(expected);
    };
    await refused({ name: 'gov' }, code('conflict', { reason: 'name_taken' }));
    await refused({ name: 'llama' }, code('conflict', { reason: 'name_taken' }));
    const bad = (param: string) => code('invalid_request', { reason: 'invalid_field', param });
    await refused({ base_url: 'http://user:pw@127.0.0.1/v1' }, bad('base_url'));
    await refused({ base_url: `${server.url}?a=b` }, bad('base_url'));
    await refused({ base_url: 'ftp://x/' }, bad('base_url'));
    await refused({ api_key: 'two words' }, bad('api_key'));
    await refused({ api_key: 'line\r\nx-evil: 1' }, bad('api_key'));
    await refused({ models: [chosen[0], chosen[0]] }, bad('models[1].id'));
    await refused({ models: [{ ...chosen[0], kind: 'embedding' }] }, bad('models[0].id'));
    await refused({ models: [{ ...chosen[0], id: ' a' }] }, bad('models[0].id'));
    await verbs.connect(gpu(), never);
    await refused({}, code('conflict', { reason: 'name_taken', param: 'name' }));
    await expect(verbs.change('nobody', {}, never)).rejects.toEqual(code('not_found'));
    await expect(verbs.change('gov', {}, never)).rejects.toEqual(code('conflict'));
    await expect(verbs.remove('nobody')).rejects.toEqual(code('not_found'));
    await expect(verbs.test({ baseUrl: server.url, apiKey: null, serverId: 'nobody' }, never)).rejects.toEqual(
      code('not_found'),
    );
  });

  it('may be connected before it answers, and is asked again later', async () => {
    const { verbs, catalogue, health } = await startProcess();
    await server.refuse();
    const id = await verbs.connect(gpu(), never);
    expect(catalogue.get('CORE-GOV-THINK')?.context_length).toBe(131_072);
    expect(await health.of('gpu')).toMatchObject({
      state: 'unhealthy',
      reason: expect.any(String),
      trouble: { code: 'engine_refuses' },
    });
    await server.accept();
    expect(await verbs.refresh(id, never)).toMatchObject({
      ok: true,
      models: [
        { remoteId: 'Qwen/Qwen3-8B', kind: 'chat' },
        { remoteId: 'BAAI/bge-m3', kind: 'embedding' },
        { remoteId: 'whisper-1', kind: 'transcription' },
      ],
    });
    expect(catalogue.get('CORE-GOV-THINK')?.context_length).toBe(8192);
  });

  it('that hangs is not waited for', async () => {
    const { verbs, health } = await startProcess();
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      hanging.closeAllConnections();
      return new Promise((resolve) => hanging.close(resolve));
    });
    const { port } = hanging.address() as AddressInfo;
    const leaving = AbortSignal.timeout(100);
    const address = `http://127.0.0.1:${port}/v1`;
    await expect(verbs.connect(gpu({ base_url: address }), leaving)).rejects.toEqual(code('client_closed'));
    await verbs.connect(gpu(), never);
    await verbs.change(verbs.list()[0]?.id ?? '', { base_url: address, api_key: null }, never);
    expect(await health.of('gpu')).toMatchObject({
      state: 'unhealthy',
      reason: 'It did not answer in time',
      trouble: { code: 'engine_slow' },
    });
  });

  it('says so where its key cannot be opened', async () => {
    const one = await startProcess();
    const id = await one.verbs.connect(gpu(), never);
    const other = await startProcess('another passphrase');
    expect(other.servers.list()[0]).toMatchObject({
      apiKey: null,
      problem: expect.stringContaining('secret_key'),
      trouble: { code: 'engine_key_sealed' },
    });
    expect(other.catalogue.get('bge-m3')).toBeUndefined();
    await expect(other.verbs.refresh(id, never)).rejects.toEqual(code('unavailable'));
    await other.verbs.change(id, { api_key: 'sk-new' }, never);
    expect(other.servers.list()[0]).toMatchObject({ apiKey: 'sk-new', problem: null });
    await eventually(() => expect(one.servers.list()[0]?.problem).toContain('secret_key'));
  });
});
