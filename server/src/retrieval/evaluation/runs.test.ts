import { openTestCalls, openTestChat } from '../../../test/support/inference.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { scriptedEngine } from '../../../test/support/scripted-engine.ts';
import { createFolderBlobStore } from '../../adapters/embedded/folder-blob-store.ts';
import { createFolderFiles, createLanceIndex } from '../../adapters/embedded/lance-index/index.ts';
import { createMemoryRateLimiter } from '../../adapters/embedded/memory-rate-limiter.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import { createRouter } from '../../inference/index.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { unlimited } from '../../kernel/rate-limits.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import type { Engine } from '../../ports/engine.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import { analyze } from '../analyzer/index.ts';
import { createCollection } from '../collections/verbs.ts';
import { embedLexically, LEXICAL_DIMENSION } from '../lexical-embedder/index.ts';
import { createTextWorkers } from '../texts/index.ts';
import { search } from '../search/search.ts';
import type { EvaluationDeps } from './deps.ts';
import { addQuestions, removeQuestions } from './questions.ts';
import { startEvaluations } from './runner.ts';
import { createEvaluations } from './runs.ts';

const COUNT = 30;
const folder = temporaryFolder();
const tenantId = hexId() as TenantId;
const actor = unlimitedActor({ tenantId, keyId: null, userId: 'somebody' });

let database: FreshDatabase;
let index: SearchIndex;
let deps: EvaluationDeps;
let collectionId: string;
/** Searches that were made, and what they wait for. */
let searches = 0;
let gate: Promise<unknown> = Promise.resolve();
let openAfter = Infinity;
/** What a chat model was asked, and for whom; calls of it that are beyond a limit. */
const asked: string[] = [];
const payers: (string | null)[] = [];
let overLimit = 0;

/** A chat model that knows in which words documents say it. */
const engine: Engine = {
  ...scriptedEngine().engine,
  chat({ body }, sink) {
    asked.push(JSON.stringify(body.request));
    queueMicrotask(() => {
      sink({ type: 'text', choice: 0, channel: 'content', json: toJsonText('표식0가나다') });
      sink({ type: 'finish', choice: 0, reason: 'stop', stop: null });
      sink({ type: 'end', systemFingerprint: null });
    });
    return { abort: () => undefined, pause: () => undefined, resume: () => undefined };
  },
};
const router = createRouter({
  engines: new Map([['script', [{ engine, weight: 1 }]]]),
  limits: { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 },
  log: silent,
});
const limiter = createMemoryRateLimiter(Date.now);
const catalogue = createCatalogue({ models: { CORE: { engines: [{ engine: 'script' }] } } });
const openChat = openTestChat({ catalogue, router, limiter });

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  index = createLanceIndex({
    storage: { uri: folder },
    files: createFolderFiles(folder),
    cacheMb: 64,
    log: silent,
  });
  const gated: SearchIndex = {
    ...index,
    async keyword(table, query) {
      if (++searches > openAfter) await gate;
      query.signal?.throwIfAborted();
      return index.keyword(table, query);
    },
  };
  deps = {
    db,
    bus: createPostgresBus(db),
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    index: gated,
    catalogue,
    defaultLimits: unlimited,
    openChat(call) {
      if (overLimit-- > 0) throw new StudioError('rate_limited', 'too many', { retryAfterSeconds: 0 });
      payers.push(call.actor.userId);
      return openChat(call);
    },
    calls: openTestCalls(),
    texts: createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' }),
    log: silent,
    queryTimeoutMs: 10_000,
    rerankTimeoutMs: 10_000,
    now: Date.now,
  };
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  await db.query.insertInto('users').values({ id: 'somebody', email: 'kim@example.kr', name: 'Kim' }).execute();
  await db.query
    .insertInto('memberships')
    .values({ tenant_id: tenantId, user_id: 'somebody', role: 'developer', state: 'active', name: 'Kim' })
    .execute();
  ({ collection_id: collectionId } = await createCollection(deps, actor, { collection_name: 'x' }));
  await fill();
});
afterAll(async () => {
  router.close();
  await limiter.close();
  await deps.texts.close();
  await deps.bus.close();
  await index.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Documents of one passage each, as an ingest leaves them, and a question for each. */
async function fill(): Promise<void> {
  const { query } = deps.db;
  const { index_table: table } = await query
    .updateTable('collections')
    .set({ index_state: 'ready' })
    .where('id', '=', collectionId)
    .returning('index_table')
    .executeTakeFirstOrThrow();
  await index.createTable(table, { dimension: LEXICAL_DIMENSION });
  const common = { tenant_id: tenantId, collection_id: collectionId };
  const all = Array.from({ length: COUNT }, (_, at) => ({ id: hexId(), rowId: hexId(), text: `표식${at}가나다 본문` }));
  for (const [at, { id, rowId, text }] of all.entries()) {
    await query
      .insertInto('documents')
      .values({
        ...common,
        id,
        name: `${at}.md`,
        external_id: null,
        size: 1,
        metadata: '{}',
        indexed_fields: [],
        ingest_config: '{}',
        key_id: null,
        user_id: null,
        state: 'ready',
        revision: 1,
        chunk_count: 1,
      })
      .execute();
    const chunk = { id: hexId(), document_id: id, revision: 1, ord: 0, title: '', headings: '[]', tokens: 3 };
    await query
      .insertInto('chunks')
      .values({ ...common, ...chunk, row_id: rowId, content: text })
      .execute();
  }
  await index.add(
    table,
    all.map(({ id, rowId, text }) => ({
      rowId,
      chunkId: rowId,
      documentId: id,
      vector: embedLexically(text),
      ...analyze(text),
      fields: {},
    })),
  );
  const items = all.map(({ id }, at) => ({ question: `표식${at}가나다`, expected: [id] }));
  expect(await addQuestions(deps, actor, collectionId, { items })).toMatchObject({ added: COUNT });
}

const setting = (name: string, more: Partial<EvaluationSetting> = {}): EvaluationSetting => ({
  name,
  search: { mode: 'keyword', alpha: null, fusion: 'weighted', rerank: false },
  top_k: null,
  threshold: null,
  query_expansion: null,
  ...more,
});

test('a run whose process ends goes on in the next one, where it stood', async () => {
  covers('retrieval.evaluation.resumed');
  const verbs = createEvaluations(deps);
  const blocked = Promise.withResolvers<void>();
  [searches, openAfter, gate] = [0, 21, blocked.promise];
  const first = await startEvaluations(deps);
  const { id } = await verbs.start(actor, collectionId, { by: 'Kim', settings: [setting('a')] });
  await eventually(async () => expect(searches).toBeGreaterThan(21));
  const closed = first.close();
  blocked.resolve();
  await closed;
  const between = await verbs.read(actor, collectionId, id);
  expect(between).toMatchObject({ state: 'running', total: COUNT, answers: [] });
  expect(between.done).toBeGreaterThanOrEqual(20);

  [searches, openAfter] = [0, Infinity];
  const second = await startEvaluations(deps);
  const run = await eventually(async () => {
    const now = await verbs.read(actor, collectionId, id);
    expect(now.state).toBe('done');
    return now;
  });
  await second.close();
  // Only what was left was asked.
  expect(searches).toBe(COUNT - between.done);
  expect(run.answers.map(({ question }) => question)).toEqual(
    Array.from({ length: COUNT }, (_, at) => `표식${at}가나다`),
  );
  expect(run).toMatchObject({ done: COUNT, figures: [{ recall_at_1: 1, ndcg_at_10: 1 }] });
});

test('a run of a process that was killed is taken up when its lease has run out; one that always ends it is given up', async () => {
  covers('retrieval.evaluation.resumed');
  const verbs = createEvaluations(deps);
  const { id } = await verbs.start(actor, collectionId, { by: 'Kim', settings: [setting('a')] });
  const lost = { claim: 'of another', seen_at: new Date(Date.now() - 60_000) };
  const leave = (attempts: number) =>
    deps.db.query
      .updateTable('evaluation_runs')
      .set({ ...lost, state: 'running', attempts })
      .where('id', '=', id)
      .execute();
  const blocked = Promise.withResolvers<void>();
  [searches, openAfter, gate] = [0, 3, blocked.promise];
  await leave(9);
  const runner = await startEvaluations(deps);
  // What was answered in between makes up for those before.
  await eventually(async () => {
    const row = deps.db.query.selectFrom('evaluation_runs').select('attempts').where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ attempts: 1 });
  });
  openAfter = Infinity;
  blocked.resolve();
  const until = (state: string) =>
    eventually(async () => {
      const now = await verbs.read(actor, collectionId, id);
      expect(now.state).toBe(state);
      return now;
    });
  await until('done');
  await leave(10);
  await deps.bus.publish('evaluation_runs', null);
  expect((await until('failed')).failure).toContain('several times');
  await runner.close();
});

test('each setting counts so many passages as it says, above its threshold', async () => {
  const verbs = createEvaluations(deps);
  const runner = await startEvaluations(deps);
  const { id } = await verbs.start(actor, collectionId, {
    by: 'Kim',
    settings: [
      setting('all'),
      setting('none', { threshold: 1_000 }),
      setting('vector', { search: { mode: 'vector', alpha: null, fusion: 'rrf', rerank: false }, top_k: 1 }),
      setting('hybrid', { search: { mode: 'hybrid', alpha: 0.9, fusion: 'weighted', rerank: false }, top_k: 3 }),
    ],
  });
  const run = await eventually(async () => {
    const now = await verbs.read(actor, collectionId, id);
    expect(now.state).toBe('done');
    return now;
  });
  const [all, none, one, three] = run.figures ?? [];
  expect([all?.recall_at_10, none?.recall_at_10, three?.recall_at_10]).toEqual([1, 0, 1]);
  // Of one passage there is no second place.
  expect(one?.recall_at_10).toBe(one?.recall_at_1);
  expect(one?.recall_at_10).toBeGreaterThan(0.9);
  expect(run.settings.map(({ top_k: top, threshold }) => [top, threshold])).toEqual([
    [null, null],
    [null, 1_000],
    [1, null],
    [3, null],
  ]);
  await runner.close();
});

test('a run fails where the embedding model is away, rather than measure words alone', async () => {
  covers('retrieval.search.away');
  const row = deps.db.query.updateTable('collections').where('id', '=', collectionId);
  const { ingest_config: config } = await deps.db.query
    .selectFrom('collections')
    .select('ingest_config')
    .where('id', '=', collectionId)
    .executeTakeFirstOrThrow();
  await row.set({ ingest_config: JSON.stringify({ ...config, embedding_model: 'gone' }) }).execute();
  const request = { query: '표식1가나다', collection_id: collectionId, top_k: 5, highlight: false };
  const ctx = { actor, requestId: 'r', signal: new AbortController().signal };
  const runner = await startEvaluations(deps);
  try {
    const { result, usage } = await search(deps, ctx, { ...request, search_type: 'hybrid' });
    expect(result).toMatchObject({ search_type: 'hybrid', embedding_model: null, embedding_unavailable: ['gone'] });
    // The best of the words is worth all, as that of a fusion.
    expect(result.hits[0]).toMatchObject({ score: 1, content: expect.stringContaining('표식1가나다') as string });
    expect(usage.embedding_tokens).toBe(0);
    await expect(search(deps, ctx, { ...request, search_type: 'vector' })).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 5,
    });
    const verbs = createEvaluations(deps);
    const hybrid = { mode: 'hybrid', alpha: null, fusion: 'weighted', rerank: false } as const;
    const { id } = await verbs.start(actor, collectionId, { by: 'Kim', settings: [setting('a', { search: hybrid })] });
    await eventually(async () => expect((await verbs.read(actor, collectionId, id)).state).toBe('failed'));
    expect((await verbs.read(actor, collectionId, id)).failure).toContain('gone');
  } finally {
    await runner.close();
    await row.set({ ingest_config: JSON.stringify(config) }).execute();
  }
});

test('a run that is removed ends', async () => {
  const verbs = createEvaluations(deps);
  const blocked = Promise.withResolvers<void>();
  [searches, openAfter, gate] = [0, 0, blocked.promise];
  const runner = await startEvaluations(deps);
  const { id } = await verbs.start(actor, collectionId, { by: 'Kim', settings: [setting('a')] });
  await eventually(async () => expect(searches).toBeGreaterThan(0));
  await verbs.remove(actor, collectionId, id);
  await expect(verbs.read(actor, collectionId, id)).rejects.toMatchObject({ code: 'not_found' });
  // The next heartbeat tells that nobody wants it.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  blocked.resolve();
  [openAfter] = [Infinity];
  await runner.close();
  expect(searches).toBeLessThan(COUNT);
});

test('a setting weighs documents and gives surroundings as it says, or as the collection does', async () => {
  const verbs = createEvaluations(deps);
  const runner = await startEvaluations(deps);
  const { search: words } = setting('a');
  const lower = { filters: { document_name: '1.md' }, factor: 0.01 };
  const lowered = [lower, lower];
  const { id } = await verbs.start(actor, collectionId, {
    by: 'Kim',
    settings: [
      setting('lowered', { search: { ...words, boosts: lowered } }),
      setting('plain', { search: { ...words, boosts: [], parent_size: 512, decay: null, collapse_duplicates: true } }),
    ],
  });
  const run = await eventually(async () => {
    const now = await verbs.read(actor, collectionId, id);
    expect(now.state, now.failure ?? '').toBe('done');
    return now;
  });
  await runner.close();
  expect(run.figures?.map(({ recall_at_1: first }) => first)).toEqual([(COUNT - 1) / COUNT, 1]);
  expect(run.settings[0]).toMatchObject({ search: { boosts: lowered }, query_expansion: null });
});

test('a setting that no search could have is refused before the run begins', async () => {
  const verbs = createEvaluations(deps);
  const { search: words } = setting('a');
  const decay = { half_life_days: 1, field: 'unknown', floor: 0 };
  const start = (more: Partial<EvaluationSetting>) =>
    verbs.start(actor, collectionId, { by: 'Kim', settings: [setting('a'), setting('b', more)] });
  await expect(start({ search: { ...words, decay } })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'settings[1].search.decay.field',
  });
  await expect(start({ query_expansion: { kind: 'hyde', model: 'NONE' } })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'settings[1].query_expansion.model',
  });
});

test('a chat model is asked once for all settings of a question, for whoever started the run while they may', async () => {
  await removeQuestions(deps, actor, collectionId, null);
  await addQuestions(deps, actor, collectionId, { items: [{ question: 'Which mark?', expected: ['0.md'] }] });
  const verbs = createEvaluations(deps);
  const runner = await startEvaluations(deps);
  const said = { query_expansion: { kind: 'rewrite', model: 'CORE' } } as const;
  const begin = () =>
    verbs.start(actor, collectionId, {
      by: 'Kim',
      settings: [setting('plain'), setting('said', said), setting('said again', { ...said, top_k: 5 })],
    });
  const until = (id: string, state: string) =>
    eventually(async () => {
      const now = await verbs.read(actor, collectionId, id);
      expect(now.state, now.failure ?? '').toBe(state);
      return now;
    });
  // A limit is waited for.
  overLimit = 1;
  const done = await until((await begin()).id, 'done');
  expect(done.figures?.map(({ recall_at_1: first }) => first)).toEqual([0, 1, 1]);
  expect([asked.length, payers]).toEqual([1, ['somebody']]);
  expect(asked[0]).toContain('Which mark?');
  await deps.db.query.deleteFrom('memberships').where('user_id', '=', 'somebody').execute();
  expect((await until((await begin()).id, 'failed')).failure).toContain('may not ask chat models');
  expect(asked).toHaveLength(1);
  await runner.close();
});

test('a search is answered with what it found, though its collection changes with each attempt', async () => {
  let attempts = 0;
  const changing: SearchIndex = {
    ...index,
    async keyword(table, query) {
      attempts++;
      const found = await index.keyword(table, { ...query, mark: undefined });
      // A passage that is gone, and another change that became visible.
      await deps.db.query
        .updateTable('collections')
        .set(({ eb }) => ({ index_version: eb('index_version', '+', 1) }))
        .where('id', '=', collectionId)
        .execute();
      return [{ rowId: hexId(), score: 1_000 }, ...found];
    },
  };
  const ctx = { actor, requestId: 'r', signal: new AbortController().signal };
  const request = { query: '표식2가나다', collection_id: collectionId, top_k: 5, highlight: false } as const;
  const { result } = await search({ ...deps, index: changing }, ctx, { ...request, search_type: 'keyword' });
  expect(attempts).toBe(4);
  expect(result.hits[0]?.content).toContain('표식2가나다');
});
