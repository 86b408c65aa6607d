import { createRenderer } from '@ai-studio/documents';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestChat } from '../../../test/support/inference.ts';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { scriptedEngine } from '../../../test/support/scripted-engine.ts';
import { createFolderBlobStore } from '../../adapters/embedded/folder-blob-store.ts';
import { createMemoryRateLimiter } from '../../adapters/embedded/memory-rate-limiter.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import { createRouter } from '../../inference/index.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { unlimited } from '../../kernel/rate-limits.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { parseFailures } from '../../parsing/index.ts';
import { EngineError } from '../../ports/engine.ts';
import { originalKey } from '../documents/rows.ts';
import { createTextWorkers } from '../texts/index.ts';
import type { ExtractionDeps } from './deps.ts';
import { createExtractions, type Extractions } from './extractions.ts';
import type { JobRunner } from '../../jobs/open-runner.ts';
import { startExtractions } from './runner.ts';

const folder = temporaryFolder();
const tenantId = hexId() as TenantId;
const actor = unlimitedActor({ tenantId, keyId: null, userId: 'ada' });
const stranger = unlimitedActor({ tenantId: hexId() as TenantId, keyId: null, userId: 'ada' });
const script = scriptedEngine();
const router = createRouter({
  engines: new Map([['script', [{ engine: script.engine, weight: 1 }]]]),
  limits: { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 },
  log: silent,
});
const limiter = createMemoryRateLimiter(Date.now);
const catalogue = createCatalogue({ models: { CORE: { engines: [{ engine: 'script' }] } } });
const renderer = createRenderer({ size: 1, heapMb: 200, timeoutMs: 60_000, failures: parseFailures });

const openChat = openTestChat({ catalogue, router, limiter });
/** Calls of the model that are beyond the limits. */
let overLimit = 0;

let database: FreshDatabase;
let deps: ExtractionDeps;
let verbs: Extractions;
const runners: JobRunner[] = [];
const closeRunners = () => Promise.all(runners.splice(0).map((one) => one.close()));
const begin = async () => void runners.push(await startExtractions(deps));

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  deps = {
    db,
    bus: createPostgresBus(db),
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    texts: createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' }),
    renderer,
    openChat(call) {
      if (overLimit-- > 0) throw new StudioError('rate_limited', 'too many', { retryAfterSeconds: 0 });
      return openChat(call);
    },
    catalogue,
    defaultLimits: unlimited,
    log: silent,
    now: Date.now,
  };
  verbs = createExtractions(deps);
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  await db.query.insertInto('users').values({ id: 'ada', email: 'ada@example.kr', name: 'Ada' }).execute();
  await db.query
    .insertInto('memberships')
    .values({ tenant_id: tenantId, user_id: 'ada', role: 'administrator', state: 'active', name: 'Ada' })
    .execute();
});
afterEach(async () => {
  await closeRunners();
  // No test makes what another one left.
  await database.db.query.deleteFrom('extraction_runs').execute();
});
afterAll(async () => {
  router.close();
  await renderer.close();
  await limiter.close();
  await deps.texts.close();
  await deps.bus.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** A document that was taken in; null is one whose file is lost. */
async function addDocument(collectionId: string, name: string, text: string | null, metadata: object = {}) {
  const id = hexId();
  await database.db.query
    .insertInto('documents')
    .values({
      id,
      tenant_id: tenantId,
      collection_id: collectionId,
      name,
      external_id: null,
      size: 1,
      metadata: JSON.stringify(metadata),
      indexed_fields: [],
      ingest_config: '{}',
      key_id: null,
      user_id: null,
      state: 'ready',
      revision: 1,
    })
    .execute();
  if (text !== null) await deps.blobs.put(originalKey({ id, tenantId }), Readable.from([Buffer.from(text)]));
  return id;
}

const contract = (party: string) => `# 계약서\n\n계약 상대자: ${party}\n\n계약금액은 삼천만 원이다.\n`;
const schema = {
  type: 'object',
  properties: {
    party: { type: 'string', title: '계약 상대자' },
    amount: { type: 'number', title: '지급 총액' },
  },
};

async function collectionOf(...parties: readonly string[]) {
  const collectionId = await insertCollection(database.db.query, tenantId, 'ada');
  for (const party of parties) await addDocument(collectionId, `${party}.md`, contract(party));
  return collectionId;
}

const until = (collectionId: string, id: string, state: string) =>
  eventually(async () => {
    const now = await verbs.read(actor, collectionId, id);
    expect(now.state, now.failure ?? '').toBe(state);
    return now;
  });
const found = (collectionId: string, id: string) =>
  verbs.documents(actor, collectionId, id, { size: 100, from: 0 }).then(({ items }) => items);
/** Answers the question of the engine that came at this place, whoever asked since. */
function answer(at: number, amount: string) {
  const sink = script.calls[at]?.sink;
  if (sink === undefined) throw new Error('nobody asked');
  const json = JSON.stringify({ values: [{ name: 'amount', value: amount, quote: '계약금액은 삼천만 원' }] });
  sink({ type: 'text', choice: 0, channel: 'content', json: toJsonText(json) });
  sink({ type: 'finish', choice: 0, reason: 'stop', stop: null });
  sink({ type: 'end', systemFingerprint: null });
}
const asked = (count: number) => expect.poll(() => script.calls.length, { timeout: 20_000 }).toBe(count);

test('each document has its values or an error of its own, in a table and as a file', async () => {
  covers('retrieval.extraction');
  const collectionId = await collectionOf('가나다', '=1+1');
  await addDocument(collectionId, 'lost.md', null);
  await begin();
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  const done = await until(collectionId, id, 'done');
  expect(done).toMatchObject({ total: 3, done: 2, failed: 1, columns: ['party', 'amount'], by: 'Ada', failure: null });
  expect(done.ended_at).not.toBeNull();
  const items = await found(collectionId, id);
  expect(items).toMatchObject([
    {
      document_name: '가나다.md',
      state: 'done',
      error: null,
      fields: [
        { name: 'party', value: '가나다', page: null, source: 'text', confidence: expect.any(Number) as number },
      ],
      missing: ['amount'],
    },
    { state: 'done', fields: [{ value: '=1+1' }] },
    { document_name: 'lost.md', state: 'failed', error: { code: 'conflict' }, fields: [] },
  ]);
  const file = (await text(await verbs.file(actor, collectionId, id, false))).split('\r\n');
  expect(file.slice(0, 3)).toEqual([
    '\uFEFFdocument_id,document_name,error,party,amount',
    `${items[0]?.document_id},가나다.md,,가나다,`,
    `${items[1]?.document_id},'=1+1.md,,'=1+1,`,
  ]);
  expect(script.calls).toHaveLength(0);
});

test('a document that could not be taken in fails with its own reason, in the file too', async () => {
  const collectionId = await insertCollection(database.db.query, tenantId, 'ada');
  const documentId = await addDocument(collectionId, 'a.pdf', null);
  const failed = {
    state: 'failed',
    revision: null,
    error_code: 'ENCRYPTED',
    error_message: 'it has a password',
  } as const;
  await database.db.query.updateTable('documents').set(failed).where('id', '=', documentId).execute();
  await begin();
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  expect(await until(collectionId, id, 'done')).toMatchObject({ failed: 1 });
  const [item] = await found(collectionId, id);
  expect(item).toMatchObject({ state: 'failed', error: { code: 'ENCRYPTED', message: 'it has a password' } });
  const file = await text(await verbs.file(actor, collectionId, id, false));
  expect(file).toContain(`${documentId},a.pdf,ENCRYPTED: it has a password,`);
});

test('a filter names documents by name, id and metadata', async () => {
  const collectionId = await collectionOf('가', '나');
  const year = await addDocument(collectionId, '다_1.md', contract('다'), { year: 2026, unit: '총무' });
  const namesOf = async (filter: object) => {
    const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema, filter });
    return (await found(collectionId, id)).map(({ document_name: name }) => name);
  };
  expect(await namesOf({ name: '나' })).toEqual(['나.md']);
  expect(await namesOf({ name: '다_' })).toEqual(['다_1.md']);
  expect(await namesOf({ metadata: { year: 2026 } })).toEqual(['다_1.md']);
  expect(await namesOf({ document_ids: [year, 'x'.repeat(32)] })).toEqual(['다_1.md']);
  for (const filter of [{ document_ids: ['none'] }, { metadata: { year: '2026' } }])
    await expect(namesOf(filter)).rejects.toMatchObject({ code: 'conflict', reason: 'no_documents' });
});

test('what is cut off goes on in another process where it was, and nothing is asked twice', async () => {
  covers('retrieval.extraction');
  const collectionId = await collectionOf('가', '나', '다', '라');
  const before = script.calls.length;
  await begin();
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema, model: 'CORE' });
  await asked(before + 3);
  answer(before, '30');
  await eventually(async () => expect((await verbs.read(actor, collectionId, id)).done).toBe(1));
  await closeRunners();
  expect(await verbs.read(actor, collectionId, id)).toMatchObject({ state: 'running', done: 1 });
  await begin();
  await asked(before + 6);
  for (const at of [3, 4, 5]) answer(before + at, String(at));
  expect(await until(collectionId, id, 'done')).toMatchObject({ total: 4, done: 4, failed: 0, model: 'CORE' });
  const items = await found(collectionId, id);
  expect(new Set(items.map(({ fields }) => fields[1]?.value))).toEqual(new Set([30, 3, 4, 5]));
  expect(items[0]?.fields[1]).toMatchObject({ name: 'amount', source: 'model', confidence: 0.7 });
});

test('a process that was killed is followed by another, but not for ever', async () => {
  covers('retrieval.extraction');
  const collectionId = await collectionOf('가');
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  const leave = (attempts: number) =>
    database.db.query
      .updateTable('extraction_runs')
      .set({ claim: 'of another', seen_at: new Date(Date.now() - 60_000), state: 'running', attempts })
      .where('id', '=', id)
      .execute();
  await leave(9);
  await begin();
  await until(collectionId, id, 'done');
  await closeRunners();
  // A document that was done in between makes up for those before.
  const { attempts } = await database.db.query
    .selectFrom('extraction_runs')
    .select('attempts')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(1);
  await leave(10);
  await begin();
  expect((await until(collectionId, id, 'failed')).failure).toContain('several times');
});

test('whoever ends one keeps what was found; what comes later is dropped', async () => {
  const collectionId = await collectionOf('가', '나', '다', '라', '마');
  const before = script.calls.length;
  await begin();
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema, model: 'CORE' });
  await asked(before + 3);
  answer(before, '7');
  await eventually(async () => expect((await verbs.read(actor, collectionId, id)).done).toBe(1));
  expect(await verbs.cancel(actor, collectionId, id)).toMatchObject({ state: 'cancelled', done: 1 });
  await expect.poll(() => script.calls[before + 2]?.aborted, { timeout: 10_000 }).toBe(true);
  await closeRunners();
  expect(script.calls).toHaveLength(before + 3);
  const states = (await found(collectionId, id)).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['done', 'waiting', 'waiting', 'waiting', 'waiting']);
  // It stays as it has ended.
  expect(await verbs.cancel(actor, collectionId, id)).toMatchObject({ state: 'cancelled' });
  await verbs.remove(actor, collectionId, id);
  await expect(verbs.read(actor, collectionId, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a model that refuses fails its document alone; beyond the limits it is asked again', async () => {
  const collectionId = await collectionOf('가', '나');
  const before = script.calls.length;
  overLimit = 3;
  await begin();
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema, model: 'CORE' });
  await asked(before + 2);
  script.calls[before]?.sink({ type: 'error', error: new EngineError('refused', 'it is too long') });
  answer(before + 1, '9');
  expect(await until(collectionId, id, 'done')).toMatchObject({ done: 1, failed: 1 });
  const failed = (await found(collectionId, id)).find(({ state }) => state === 'failed');
  expect(failed?.error?.message).toContain('refused');
});

test('what was found goes with its document; a collection that is gone ends it', async () => {
  const collectionId = await collectionOf('가', '나');
  const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  await database.db.query.deleteFrom('documents').where('name', '=', '나.md').execute();
  await begin();
  expect(await until(collectionId, id, 'done')).toMatchObject({ total: 1, done: 1, failed: 0 });
  await closeRunners();
  const { extraction_id: second } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  const row = database.db.query.updateTable('collections').where('id', '=', collectionId);
  await row.set({ deleted_at: new Date() }).execute();
  await begin();
  await eventually(async () => {
    const { state } = await database.db.query
      .selectFrom('extraction_runs')
      .select('state')
      .where('id', '=', second)
      .executeTakeFirstOrThrow();
    expect(state).toBe('failed');
  });
});

test('a key that was deleted pays for nothing, nor does a person who was taken out of the tenant', async () => {
  const collectionId = await insertCollection(database.db.query, tenantId);
  await addDocument(collectionId, 'a.md', contract('가'));
  const byKey = { ...actor, userId: null, keyId: hexId(), rights: new Set(['collections.all'] as const) };
  const { extraction_id: id } = await verbs.start(byKey, collectionId, { by: 'key', schema });
  await begin();
  const failed = await eventually(async () => {
    const now = await verbs.read(byKey, collectionId, id);
    expect(now.state).toBe('failed');
    return now;
  });
  expect(failed.failure).toContain('API key');
  const gone = { ...actor, userId: 'gone', rights: new Set(['collections.all'] as const) };
  const { extraction_id: second } = await verbs.start(gone, collectionId, { by: 'Gone', schema });
  const { failure } = await eventually(async () => {
    const now = await verbs.read(gone, collectionId, second);
    expect(now.state).toBe('failed');
    return now;
  });
  expect(failure).toContain('Whoever started');
});

test('the last that ended are kept, beside those that are under way', async () => {
  const collectionId = await collectionOf('가');
  const ids: string[] = [];
  const { extraction_id: running } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  for (let made = 0; made < 22; made++) {
    const { extraction_id: id } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
    await verbs.cancel(actor, collectionId, id);
    ids.unshift(id);
  }
  const { extraction_id: last } = await verbs.start(actor, collectionId, { by: 'Ada', schema });
  const { items } = await verbs.list(actor, collectionId);
  expect(items.map(({ extraction_id: id }) => id)).toEqual([last, ...ids.slice(0, 20), running]);
});

test('what is wrong is told at once, and nothing is there for another tenant', async () => {
  const collectionId = await collectionOf('가');
  const start = (more: object) => verbs.start(actor, collectionId, { by: 'Ada', schema, ...more });
  await expect(start({ schema: { type: 'array' } })).rejects.toMatchObject({ param: 'schema' });
  const long = { type: 'object', properties: { a: { type: 'string', title: 'x'.repeat(100_000) } } };
  await expect(start({ schema: long })).rejects.toThrow('longer than');
  await expect(start({ model: 'NONE' })).rejects.toMatchObject({ param: 'model' });
  const { extraction_id: id } = await start({});
  const none = { code: 'not_found' };
  await expect(verbs.start(stranger, collectionId, { by: 'x', schema })).rejects.toMatchObject(none);
  await expect(verbs.list(stranger, collectionId)).rejects.toMatchObject(none);
  await expect(verbs.read(stranger, collectionId, id)).rejects.toMatchObject(none);
  await expect(verbs.file(stranger, collectionId, id, false)).rejects.toMatchObject(none);
  await expect(verbs.cancel(stranger, collectionId, id)).rejects.toMatchObject(none);
  await expect(verbs.remove(stranger, collectionId, id)).rejects.toMatchObject(none);
  const other = await collectionOf('나');
  await expect(verbs.read(actor, other, id)).rejects.toMatchObject(none);
  await expect(verbs.documents(actor, other, id, { size: 1, from: 0 })).rejects.toMatchObject(none);
  for (let made = 1; made < 10; made++) await start({});
  await expect(start({})).rejects.toMatchObject({ code: 'conflict', reason: 'too_many_extractions' });
  expect((await verbs.list(actor, collectionId)).items).toHaveLength(10);
});
