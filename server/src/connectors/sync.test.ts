import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertCollection } from '../../test/support/ingest-jobs.ts';
import { createMemoryBlobs } from '../../test/support/memory-blobs.ts';
import { addPerson } from '../../test/support/people.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../test/support/postgres.ts';
import { createPostgresBus } from '../adapters/postgres/index.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import type { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Connector, SourceChange } from '../ports/connector.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import { createTextWorkers, type RetrievalDeps } from '../retrieval/index.ts';
import type { ConnectorDeps } from './deps.ts';
import { type Sync, synchronize } from './sync.ts';

const tenantId = hexId() as TenantId;
const texts = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' });
const folder = mkdtempSync(join(tmpdir(), 'ai-studio-sync-'));
let database: FreshDatabase;
let deps: ConnectorDeps;
let ada: string;
let collectionId: string;
let connectorId: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const index: Partial<SearchIndex> = { remove: () => Promise.resolve() };
  const retrieval: Partial<RetrievalDeps> = {
    db,
    bus: createPostgresBus(db),
    blobs: createMemoryBlobs(),
    texts,
    index: index as SearchIndex,
    log: silent,
    now: Date.now,
  };
  const given: Partial<ConnectorDeps> = { retrieval: retrieval as RetrievalDeps, folder, maxBytes: 1_000 };
  deps = given as ConnectorDeps;
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  ada = await addPerson(db, { tenantId, role: 'developer', email: 'ada@example.kr', name: 'ada' });
});
afterAll(async () => {
  await texts.close();
  await deps.retrieval.bus.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { query } = database.db;
  collectionId = await insertCollection(query, tenantId, ada);
  connectorId = hexId();
  await query
    .insertInto('connectors')
    .values({
      id: connectorId,
      tenant_id: tenantId,
      collection_id: collectionId,
      name: '문서고',
      settings: JSON.stringify({ kind: 'folder', path: '/x' }),
      secrets: null,
      every_minutes: null,
      max_documents: 100,
      next_at: null,
      key_id: null,
      user_id: ada,
    })
    .execute();
});

/** What a source of a test has: texts by ids, which are their versions as well, or why they can't be had. */
type Files = Readonly<Record<string, string | StudioError>>;
interface Listing {
  /** What is told beside documents. */
  readonly told?: readonly SourceChange[];
  readonly cut?: StudioError;
  readonly traits?: Pick<Connector, 'namesAll' | 'liesElsewhere'>;
}

const sourceOf = (files: Files, { told = [], cut, traits = {} }: Listing = {}): Connector => ({
  ...traits,
  async *list() {
    for (const [id, content] of Object.entries(files)) {
      const version = typeof content === 'string' ? `v:${content}` : 'broken';
      yield await Promise.resolve({
        type: 'present',
        item: { id, name: `${id}.md`, version, bytes: null, metadata: {} },
      } as const);
    }
    yield* told;
    yield { type: 'end', isWhole: cut === undefined, cursor: 'next', cut };
  },
  fetch(id, { path }) {
    const content = files[id] ?? sourceFailure('document_gone');
    if (typeof content !== 'string') return Promise.reject(content);
    writeFileSync(path, content);
    return Promise.resolve({ bytes: Buffer.byteLength(content) });
  },
  close: () => Promise.resolve(),
});
const sync = (files: Files, listing: Listing = {}, more: Partial<Sync> = {}) =>
  synchronize(deps, {
    connectorId,
    collectionId,
    actor: unlimitedActor({ tenantId, keyId: null, userId: ada }),
    source: sourceOf(files, listing),
    cursor: 'before',
    maxItems: 100,
    dry: false,
    removesAll: false,
    keepsReaders: false,
    groups: [],
    signal: new AbortController().signal,
    onProgress: () => Promise.resolve(),
    ...more,
  });
const names = async () => {
  const rows = await database.db.query
    .selectFrom('documents')
    .select('name')
    .where('collection_id', '=', collectionId)
    .orderBy('number')
    .execute();
  return rows.map(({ name }) => name);
};
const answered = (status: number) => sourceFailure('server_answered', { values: { status } });
const many = (count: number, content: string | StudioError, from = 0): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${from + at}`, content]));

test('a document that can not be fetched is a problem with its name and reason; the others are taken, and it is tried again', async () => {
  const { counts, cursor } = await sync({ a: 'a', b: answered(500), c: 'c', d: 'd' });
  expect(counts).toMatchObject({
    added: 3,
    failed: 1,
    problems: [
      { name: 'b.md', code: 'unavailable', reason: 'The server answered 500', reason_code: 'server_answered' },
    ],
  });
  // The next listing names it again.
  expect(cursor).toBe('before');
  expect((await sync({ a: 'a', b: 'b', c: 'c', d: 'd' })).counts).toMatchObject({ added: 1, failed: 0 });
  expect(await names()).toEqual(['a.md', 'c.md', 'd.md', 'b.md']);
});

test('more documents in a row that a server answers with failures keep nothing out that comes after them', async () => {
  const { counts } = await sync({ ...many(8, answered(500)), last: 'x' });
  expect(counts).toMatchObject({ added: 1, failed: 8 });
});

test.each([sourceFailure('source_silent'), answered(503)])(
  'five documents in a row that nobody answers for mean that the source is away: %s',
  async (failure) => {
    await sync({ ...many(4, 'x', 100) });
    await expect(sync({ ...many(9, failure), last: 'x' })).rejects.toBe(failure);
    expect(await names()).not.toContain('last.md');
    expect(await names()).toHaveLength(4);
    // With one that comes in between it is there.
    const mixed = { ...many(4, failure), between: 'x', ...many(4, failure, 50) };
    expect((await sync(mixed)).counts).toMatchObject({ added: 1, failed: 8 });
  },
);

test('a source none of whose documents can be had is away; documents on servers of others say nothing of their source', async () => {
  await expect(sync(many(5, answered(500)))).rejects.toMatchObject({ reason: 'server_answered' });
  const elsewhere = { traits: { liesElsewhere: true } };
  const silentOnes = many(9, sourceFailure('address_unreachable'));
  expect((await sync(silentOnes, elsewhere)).counts).toMatchObject({ failed: 9 });
  expect((await sync({ ...silentOnes, last: 'x' }, elsewhere)).counts).toMatchObject({ added: 1, failed: 9 });
});

test('where nothing at all is seen of what there was, it is left until somebody says so, however little it was', async () => {
  await sync({ a: 'a', b: 'b' });
  expect((await sync({})).counts).toMatchObject({ removed: 0, held_back: 2 });
  expect((await sync({ a: 'a' })).counts).toMatchObject({ removed: 1, held_back: 0 });
  expect((await sync({}, {}, { removesAll: true })).counts).toMatchObject({ removed: 1, held_back: 0 });
  expect(await names()).toEqual([]);
});

test('a document that was emptied at its source is found no more, and the run says so; many at once are held back', async () => {
  await sync({ a: 'old', b: 'b' });
  expect((await sync({ a: '', b: 'b' })).counts).toMatchObject({
    failed: 1,
    removed: 1,
    changes: [{ name: 'a.md', change: 'removed' }],
    problems: [{ name: 'a.md', code: 'unprocessable', reason_code: 'file_empty' }],
  });
  expect(await names()).toEqual(['b.md']);
  expect((await sync({ a: 'new', b: 'b' })).counts).toMatchObject({ added: 1 });
  const all = { a: 'new', b: 'b', ...many(28, 'x') };
  await sync(all);
  expect((await sync(many(28, ''))).counts).toMatchObject({ removed: 0, held_back: 30 });
});

test('what a listing that is not whole did not name is left, and the run tells how much and why, before all else', async () => {
  await sync({ a: 'a', b: 'b', c: 'c' });
  const cut = sourceFailure('over_limit', { values: { limit: 1 } });
  const told = [
    { type: 'removed', id: 'b' } as const,
    { type: 'unreadable', id: null, name: '', problem: cut } as const,
  ];
  const { counts } = await sync({ a: 'a' }, { cut, told });
  expect(counts).toMatchObject({ removed: 1, failed: 1 });
  expect(counts.problems).toMatchObject([
    {
      name: '',
      code: 'removal_waits',
      reason_code: 'removal_waits',
      reason_values: { documents: 1 },
      reason: expect.stringContaining('There are more than 1 documents') as string,
    },
    { reason_code: 'over_limit' },
  ]);
  expect(await names()).toEqual(['a.md', 'c.md']);
  const full = Array.from({ length: 150 }, () => told[1] as SourceChange);
  const { problems } = (await sync({ a: 'a' }, { cut, told: full })).counts;
  expect([problems.length, problems[0]?.reason_code]).toEqual([100, 'removal_waits']);
});

test('the cursor of a source that names all each time moves on also where something failed', async () => {
  const files = { a: 'a', b: answered(500) };
  expect((await sync(files)).cursor).toBe('before');
  expect((await sync(files, { traits: { namesAll: true } })).cursor).toBe('next');
});
