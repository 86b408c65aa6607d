import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobRunner } from '../jobs/open-runner.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import { eventually } from '../../test/support/eventually.ts';
import { insertCollection } from '../../test/support/ingest-jobs.ts';
import { createMemoryBlobs } from '../../test/support/memory-blobs.ts';
import { addPerson } from '../../test/support/people.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../test/support/postgres.ts';
import { createFolderConnector } from '../adapters/connectors/folder.ts';
import { createPostgresBus } from '../adapters/postgres/index.ts';
import { type Actor, type Right, unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import { unlimited } from '../kernel/rate-limits.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import type { Connector, SourceItem, SourceReader } from '../ports/connector.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import { createTextWorkers, type RetrievalDeps } from '../retrieval/index.ts';
import { type ConnectorDeps, type Connectors, createConnectors, startConnectors } from './index.ts';

const tenantId = hexId() as TenantId;
const actorOf = (userId: string, rights: readonly Right[] = []) => ({
  ...unlimitedActor({ tenantId, keyId: null, userId }),
  rights: new Set(rights),
});
let ada: string;
let actor: Actor;
let colleague: Actor;
let stranger: Actor;
const texts = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' });
const base = realpathSync(mkdtempSync(join(tmpdir(), 'ai-studio-connectors-')));
const scratch = join(base, 'scratch');
const box = createSecretBox(Buffer.alloc(32, 7));
/** Secrets that sources were opened with. */
const opened: unknown[] = [];

let database: FreshDatabase;
let deps: ConnectorDeps;
let verbs: Connectors;
let runner: JobRunner;
let collectionId: string;
let root: string;

beforeAll(async () => {
  mkdirSync(scratch);
  database = await freshDatabase();
  const { db } = database;
  const index: Partial<SearchIndex> = { remove: () => Promise.resolve() };
  const bus = createPostgresBus(db);
  const blobs = createMemoryBlobs();
  const retrieval: Partial<RetrievalDeps> = {
    db,
    bus,
    blobs,
    texts,
    index: index as SearchIndex,
    log: silent,
    now: Date.now,
  };
  deps = {
    retrieval: retrieval as RetrievalDeps,
    open(settings, secrets, tells) {
      opened.push(secrets);
      if (settings.kind === 'sharepoint') return openLibrary(tells?.tellsReaders === true);
      if (settings.kind !== 'folder') throw new Error('no other kind is opened here');
      return createFolderConnector({ allowed: [base], path: settings.path, endings: null });
    },
    box,
    limits: { folders: [base], perTenant: 40, minMinutes: 15, maxDocuments: 1_000 },
    defaultLimits: unlimited,
    folder: scratch,
    maxBytes: 1_000,
  };
  verbs = createConnectors(deps);
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  const person = (name: string, role: Role) => addPerson(db, { tenantId, role, email: `${name}@example.kr`, name });
  ada = await person('ada', 'developer');
  actor = actorOf(ada);
  colleague = actorOf(await person('bob', 'developer'));
  stranger = unlimitedActor({ tenantId: hexId() as TenantId, keyId: null, userId: ada });
  runner = await startConnectors(deps);
});
beforeEach(async () => {
  collectionId = await insertCollection(database.db.query, tenantId, ada);
  root = mkdtempSync(join(base, 'source-'));
});
afterEach(() => void opened.splice(0));
afterAll(async () => {
  await runner.close();
  await texts.close();
  await deps.retrieval.bus.close();
  await database.close();
  rmSync(base, { recursive: true, force: true });
});

/** What a library of the tests holds, and who is in its groups. */
const library = new Map<string, { version: string; readers: SourceItem['readers'] }>();
const members = new Map<string, readonly SourceReader[]>();
const fetched: string[] = [];
/** Of documents whose fetch comes to nothing. */
const silentIds = new Set<string>();
const openLibrary = (tellsReaders: boolean): Connector => ({
  async *list({ cursor }) {
    expect(cursor === null || !tellsReaders).toBe(true);
    for (const [id, { version, readers }] of library) {
      const item = { id, name: `${id}.md`, version, bytes: null, metadata: {}, ...(tellsReaders ? { readers } : {}) };
      yield await Promise.resolve({ type: 'present', item } as const);
    }
    yield { type: 'end', isWhole: true, cursor: 'after' };
  },
  fetch(id, { path }) {
    fetched.push(id);
    if (silentIds.has(id)) return Promise.reject(sourceFailure('source_silent'));
    writeFileSync(path, `# ${id}`);
    return Promise.resolve({ bytes: id.length + 2 });
  },
  members: (group) => Promise.resolve(members.get(group) ?? null),
  close: () => Promise.resolve(),
});
beforeEach(() => {
  library.clear();
  members.clear();
  fetched.splice(0);
  silentIds.clear();
});

let clock = 1_700_000_000;
function put(name: string, content: string | Uint8Array) {
  writeFileSync(join(root, name), content);
  utimesSync(join(root, name), clock, ++clock);
}
const create = (more: object = {}) =>
  verbs.create(actor, collectionId, {
    name: '문서고',
    settings: { kind: 'folder', path: root },
    every_minutes: null,
    max_documents: 100,
    paused: false,
    access: 'collection' as const,
    groups: [],
    ...more,
  });
async function run(id: string, asked: object = {}) {
  const { run_id: runId } = await verbs.run(actor, collectionId, id, asked);
  return eventually(async () => {
    const { items } = await verbs.runs(actor, collectionId, id);
    const found = items.find((one) => one.run_id === runId);
    expect(found?.state).not.toBe('running');
    return found;
  });
}
const documents = () =>
  database.db.query
    .selectFrom('documents')
    .select(['id', 'name', 'external_id', 'metadata', 'state', 'user_id'])
    .where('collection_id', '=', collectionId)
    .orderBy('number')
    .execute();
const names = async () => (await documents()).map(({ name }) => name);

test('what is there is taken in, once; what changed comes again under its own id; what went is removed', async () => {
  mkdirSync(join(root, '2026'));
  put('2026/a.md', '# 가');
  put('b.txt', '나');
  const { connector_id: id } = await create();
  expect(await run(id)).toMatchObject({ state: 'done', seen: 2, added: 2, changed: 0, removed: 0, failed: 0 });
  expect(await documents()).toMatchObject([
    { name: 'a.md', external_id: `${id}/2026/a.md`, metadata: { folder: '2026' }, state: 'queued', user_id: ada },
    { name: 'b.txt', external_id: `${id}/b.txt`, metadata: {} },
  ]);
  expect(await run(id)).toMatchObject({ seen: 2, added: 0, changed: 0 });
  expect(await names()).toEqual(['a.md', 'b.txt']);
  put('b.txt', '나 다');
  rmSync(join(root, '2026/a.md'));
  expect(await run(id)).toMatchObject({ seen: 1, added: 0, changed: 1, removed: 1 });
  // The older one is replaced once the newer is ready.
  expect(await documents()).toMatchObject([{ external_id: `${id}/b.txt` }, { external_id: `${id}/b.txt` }]);
  expect(await verbs.read(actor, collectionId, id)).toMatchObject({ documents: 1, last_run: { changed: 1 } });
  expect(readdirSync(scratch)).toEqual([]);
});

test('a document that a person removed stays so until it changes in its source', async () => {
  put('a.txt', '가');
  const { connector_id: id } = await create();
  await run(id);
  await database.db.query.deleteFrom('documents').where('collection_id', '=', collectionId).execute();
  expect(await run(id)).toMatchObject({ state: 'done', added: 0, changed: 0 });
  put('a.txt', '나');
  await run(id);
  expect(await names()).toEqual(['a.txt']);
});

test('what can not be taken is told and met again, and keeps nothing else out', async () => {
  put('big.txt', 'x'.repeat(1_001));
  put('empty.txt', '');
  put('good.txt', '가');
  const { connector_id: id } = await create();
  for (const added of [1, 0])
    expect(await run(id)).toMatchObject({
      state: 'done',
      added,
      failed: 2,
      problems: [
        {
          name: 'big.txt',
          code: 'too_large',
          reason: 'It is larger than 1000 bytes',
          reason_code: 'larger_than',
          reason_values: { max_bytes: 1_000 },
        },
        { name: 'empty.txt', code: 'unprocessable', reason_code: 'file_empty' },
      ],
    });
  put('big.txt', '나');
  expect(await run(id)).toMatchObject({ added: 1, failed: 1 });
});

test('a dry run tells what would be done, and does nothing', async () => {
  put('a.txt', '가');
  const { connector_id: id } = await create();
  expect(await run(id, { dry: true })).toMatchObject({
    dry: true,
    added: 1,
    changes: [{ name: 'a.txt', change: 'added' }],
  });
  expect(await names()).toEqual([]);
  put('b.txt', '나');
  await run(id);
  rmSync(join(root, 'a.txt'));
  expect(await run(id, { dry: true })).toMatchObject({
    removed: 1,
    changes: [{ name: 'a.txt', change: 'removed' }],
  });
  expect(await names()).toEqual(['a.txt', 'b.txt']);
});

test('a source that is away takes nothing away; one that is empty all at once is asked about', async () => {
  for (let at = 0; at < 21; at++) put(`${at}.txt`, `${at}`);
  const { connector_id: id } = await create();
  await run(id);
  renameSync(root, `${root}-away`);
  expect(await run(id)).toMatchObject({
    state: 'failed',
    failure: { code: 'unavailable', reason: 'The folder is not there', reason_code: 'folder_missing' },
  });
  expect((await names()).length).toBe(21);
  mkdirSync(root);
  expect(await run(id)).toMatchObject({ state: 'done', removed: 0, held_back: 21 });
  expect((await names()).length).toBe(21);
  expect(await run(id, { removesAll: true })).toMatchObject({ state: 'done', removed: 21, held_back: 0 });
  expect(await names()).toEqual([]);
});

test('a folder that holds more than is taken keeps what went there, and the run says so', async () => {
  for (const name of 'abc') put(`${name}.txt`, name);
  const { connector_id: id } = await create({ max_documents: 3 });
  await run(id);
  rmSync(join(root, 'a.txt'));
  for (const name of 'de') put(`${name}.txt`, name);
  const over = { code: null, reason_code: 'over_limit', reason_values: { limit: 3 } };
  expect(await run(id)).toMatchObject({
    state: 'done',
    added: 1,
    removed: 0,
    problems: [{ name: '', code: 'removal_waits', reason_values: { documents: 1 } }, over],
  });
  rmSync(join(root, 'e.txt'));
  expect(await run(id)).toMatchObject({ removed: 1, failed: 0, problems: [] });
  expect(await names()).toEqual(['b.txt', 'c.txt', 'd.txt']);
});

test('one with a schedule runs by itself, and not while it is paused', async () => {
  put('a.txt', '가');
  const { connector_id: id, next_at: next } = await create({ every_minutes: 60 });
  expect(next).not.toBeNull();
  await expect.poll(names, { timeout: 20_000 }).toEqual(['a.txt']);
  const one = await eventually(async () => {
    const now = await verbs.read(actor, collectionId, id);
    expect(now.last_run?.state).toBe('done');
    return now;
  });
  expect(Date.parse(one.next_at ?? '')).toBeGreaterThan(Date.parse(next ?? ''));
  expect(await verbs.change(actor, collectionId, id, { paused: true })).toMatchObject({ paused: true, next_at: null });
  await database.db.query
    .updateTable('connectors')
    .set({ next_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  put('b.txt', '나');
  // By hand it runs, and once: no run of the schedule came before it.
  expect(await run(id)).toMatchObject({ added: 1 });
  expect((await verbs.runs(actor, collectionId, id)).items.length).toBe(2);
});

test('secrets are sealed, never told, opened for the source, and asked for again where it lies elsewhere', async () => {
  const created = await create({ secrets: { password: '비밀번호' } });
  const { connector_id: id } = created;
  expect(created.has_secrets).toBe(true);
  expect(JSON.stringify(created)).not.toContain('비밀번호');
  const rows = await database.db.query.selectFrom('connectors').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('비밀번호');
  opened.splice(0);
  await run(id);
  expect(opened).toEqual([{ password: '비밀번호' }]);
  // The same settings, in whatever order the database keeps them, lead nowhere else.
  const same = { path: root, kind: 'folder' } as const;
  expect(await verbs.change(actor, collectionId, id, { name: '새 이름', settings: same })).toMatchObject({
    name: '새 이름',
    has_secrets: true,
  });
  const settings = { kind: 'folder', path: `${root}/x` } as const;
  await expect(verbs.change(actor, collectionId, id, { settings })).rejects.toMatchObject({ param: 'secrets' });
  expect(await verbs.change(actor, collectionId, id, { settings, secrets: null })).toMatchObject({
    settings,
    has_secrets: false,
  });
});

test('an address that holds a user name or a password is refused, which says where they belong, and never shown', async () => {
  const at = 'https://user:pw@x.example.kr/';
  const instead = 'give them as the secrets username and password';
  for (const [given, param, words] of [
    [{ kind: 'webdav', url: at }, 'settings.url', instead],
    [{ kind: 'git', url: 'https://token@x.example.kr/a.git', folder: '' }, 'settings.url', instead],
    [{ kind: 's3', endpoint: at, region: 'r', bucket: 'b', prefix: '' }, 'settings.endpoint', 'access_key_id'],
    [{ kind: 'web', url: at, depth: 1, sitemap: true }, 'settings.url', 'read without them'],
    [{ kind: 'feed', url: at, pages: true }, 'settings.url', 'read without them'],
  ] as const)
    await expect(create({ settings: given })).rejects.toMatchObject({
      code: 'invalid_request',
      param,
      message: expect.stringContaining(words) as string,
    });
  const { connector_id: id } = await create({ settings });
  const site = 'https://user:pw@example.sharepoint.com/sites/hr';
  await expect(verbs.change(actor, collectionId, id, { settings: { ...settings, site } })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'settings.site',
  });
  expect((await verbs.read(actor, collectionId, id)).settings).toEqual(settings);
});

test('nobody else meets it, and a removed one leaves its documents', async () => {
  put('a.txt', '가');
  const { connector_id: id } = await create();
  await run(id);
  const other = await insertCollection(database.db.query, tenantId, ada);
  for (const who of [colleague, stranger])
    await expect(verbs.read(who, collectionId, id)).rejects.toMatchObject({ code: 'not_found' });
  for (const wrong of [hexId(), '', 'x'.repeat(1_000), '\0'])
    await expect(verbs.run(actor, collectionId, wrong)).rejects.toMatchObject({ code: 'not_found' });
  await expect(verbs.remove(actor, other, id, 'keep')).rejects.toMatchObject({ code: 'not_found' });
  await verbs.remove(actor, collectionId, id, 'keep');
  expect((await verbs.list(actor, collectionId)).items).toEqual([]);
  expect(await names()).toEqual(['a.txt']);
});

test('a run that is under way is no second one, and can be cancelled', async () => {
  const { connector_id: id } = await create();
  // As of a process that makes it.
  const row = { id: hexId(), tenant_id: tenantId, connector_id: id, dry: false, removes_all: false, claim: hexId() };
  await database.db.query.insertInto('connector_runs').values(row).execute();
  await expect(verbs.run(actor, collectionId, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await verbs.cancel(actor, collectionId, id)).toMatchObject({ last_run: { state: 'cancelled' } });
  expect(await run(id)).toMatchObject({ state: 'done' });
});

test('a connector that goes with its documents removes them, also those that nobody knows of, and leaves the others', async () => {
  put('a.txt', '가');
  put('b.txt', '나');
  const { connector_id: id } = await create();
  const { connector_id: other } = await create();
  await run(id);
  await run(other);
  await database.db.query.deleteFrom('connector_items').where('connector_id', '=', id).execute();
  await verbs.remove(actor, collectionId, id, 'remove');
  await eventually(async () =>
    expect((await verbs.list(actor, collectionId)).items.map((one) => one.connector_id)).toEqual([other]),
  );
  expect((await documents()).map((one) => one.external_id)).toEqual([`${other}/a.txt`, `${other}/b.txt`]);
});

test('what the operator allows holds: how often, how much, how many', async () => {
  await expect(create({ every_minutes: 14 })).rejects.toMatchObject({ param: 'every_minutes' });
  await expect(create({ max_documents: 1_001 })).rejects.toMatchObject({ param: 'max_documents' });
  const { connector_id: id } = await create({ paused: true });
  await expect(verbs.change(actor, collectionId, id, { every_minutes: 5 })).rejects.toMatchObject({
    param: 'every_minutes',
  });
  for (let at = 1; at < 20; at++) await create({ paused: true });
  await expect(create()).rejects.toMatchObject({ reason: 'too_many_connectors', values: { limit: 20 } });
  await database.db.query.deleteFrom('connectors').where('collection_id', '=', collectionId).execute();
});

test('a person who may not build any more has nothing taken in; whoever changes the connector takes it over', async () => {
  put('a.txt', '가');
  const { db } = database;
  const boss = actorOf(
    await addPerson(db, { tenantId, role: 'administrator', email: 'boss@example.kr', name: 'boss' }),
    ['collections.all'],
  );
  const { connector_id: id } = await create();
  await db.query.updateTable('memberships').set({ role: 'user' }).where('user_id', '=', ada).execute();
  try {
    expect(await run(id)).toMatchObject({ state: 'failed', failure: { code: 'forbidden' }, added: 0 });
    await verbs.change(boss, collectionId, id, { name: '이어받음' });
    expect(await run(id)).toMatchObject({ state: 'done', added: 1 });
  } finally {
    await db.query.updateTable('memberships').set({ role: 'developer' }).where('user_id', '=', ada).execute();
  }
  // An administrator who is none any more does not reach into collections of others either.
  await db.query.updateTable('memberships').set({ role: 'developer' }).where('user_id', '=', boss.userId).execute();
  expect(await run(id)).toMatchObject({ state: 'failed', failure: { code: 'not_found' } });
});

test('a source that is named anew is listed anew, and what is under way of the former one ends', async () => {
  put('a.txt', '가');
  const { connector_id: id } = await create();
  await run(id);
  const row = { id: hexId(), tenant_id: tenantId, connector_id: id, dry: false, removes_all: false, claim: hexId() };
  await database.db.query.insertInto('connector_runs').values(row).execute();
  const former = root;
  root = mkdtempSync(join(base, 'source-'));
  put('a.txt', '다른 글');
  utimesSync(join(root, 'a.txt'), clock - 1, clock - 1);
  utimesSync(join(former, 'a.txt'), clock - 1, clock - 1);
  const changed = await verbs.change(actor, collectionId, id, { settings: { kind: 'folder', path: root } });
  expect(changed.last_run?.state).toBe('cancelled');
  expect(await run(id)).toMatchObject({ state: 'done', changed: 1, added: 0 });
});

test('a run that gets on is not given up, however often its process ends; one that does not is', async () => {
  put('a.txt', '가');
  const { connector_id: id } = await create();
  const { query } = database.db;
  const lost = async (attempts: number) => {
    const row = { id: hexId(), tenant_id: tenantId, connector_id: id, dry: false, removes_all: false };
    const seen = { claim: hexId(), seen_at: new Date(0), attempts };
    await query
      .insertInto('connector_runs')
      .values({ ...row, ...seen })
      .execute();
    await deps.retrieval.bus.publish('connector_runs', null);
    return eventually(async () => {
      const run = await query
        .selectFrom('connector_runs')
        .selectAll()
        .where('id', '=', row.id)
        .executeTakeFirstOrThrow();
      expect(run.state).not.toBe('running');
      return run;
    });
  };
  expect(await lost(9)).toMatchObject({ state: 'done', added: 1, attempts: 1 });
  expect(await lost(9)).toMatchObject({ state: 'done', added: 0, attempts: 10 });
  expect(await lost(10)).toMatchObject({ state: 'failed', attempts: 11 });
});

test('a process that ends in the middle of a run leaves nothing twice, and nothing out', async () => {
  for (let at = 0; at < 12; at++) put(`${at}.txt`, `글 ${at}`);
  const { connector_id: id } = await create();
  // Ends as a killed process does: a document was uploaded, and nobody knows of it; the run has a claim, and no sign of life.
  const killed = await verbs.run(actor, collectionId, id);
  await eventually(async () => expect((await names()).length).toBeGreaterThan(2));
  await runner.close();
  const { query } = database.db;
  await query.deleteFrom('connector_items').where('connector_id', '=', id).where('source_id', '=', '0.txt').execute();
  await query
    .updateTable('connector_runs')
    .set({ state: 'running', claim: hexId(), seen_at: new Date(0), ended_at: null })
    .where('id', '=', killed.run_id)
    .execute();
  runner = await startConnectors(deps);
  await eventually(async () => {
    const { items } = await verbs.runs(actor, collectionId, id);
    expect(items).toMatchObject([{ run_id: killed.run_id, state: 'done', failed: 0 }]);
  });
  const ids = (await documents()).map((one) => one.external_id);
  expect(new Set(ids).size).toBe(12);
  // The one that nobody knew of was given again under its own id, which takes the place of the first once it is ready.
  expect(ids.filter((one) => one !== `${id}/0.txt`).length).toBe(11);
});

const settings = {
  kind: 'sharepoint',
  tenant: 'example.kr',
  client_id: 'c',
  site: 'https://example.sharepoint.com/sites/hr',
  folder: '',
} as const;
const person = (email: string): SourceReader => ({ kind: 'person', email });
const group = (id: string): SourceReader => ({ kind: 'group', id, name: `Group ${id}` });
/** Readers of documents by their names. */
const readersNow = async () =>
  Object.fromEntries(
    (
      await database.db.query
        .selectFrom('documents')
        .select(['name', 'readers'])
        .where('collection_id', '=', collectionId)
        .orderBy('number')
        .execute()
    ).map(({ name, readers }) => [name, readers]),
  );
const groupsNow = async () =>
  Object.fromEntries(
    (
      await database.db.query
        .selectFrom('reader_groups')
        .select(['title', 'members'])
        .where('collection_id', '=', collectionId)
        .execute()
    ).map(({ title, members: known }) => [title, known]),
  );

test('a run that fails tells what it had done by then, and which documents it could not take', async () => {
  for (const name of 'abcdefg') library.set(name, { version: '1', readers: undefined });
  for (const name of 'bcdefg') silentIds.add(name);
  const { connector_id: id } = await create({ settings });
  const failed = await run(id);
  expect(failed).toMatchObject({ state: 'failed', failure: { reason_code: 'source_silent' }, added: 1, failed: 4 });
  expect(failed?.problems.map(({ name }) => name)).toEqual(['b.md', 'c.md', 'd.md', 'e.md']);
  expect(await names()).toEqual(['a.md']);
});

test('documents are for those whom the source lets read them; a change of readers alone is taken without the document', async () => {
  library.set('a', {
    version: '1',
    readers: [person(' Ada@Example.kr '), person('bad'), { kind: 'domain', domain: 'HR.kr' }],
  });
  library.set('b', { version: '1', readers: 'everybody' });
  library.set('c', { version: '1', readers: [] });
  library.set('d', { version: '1', readers: null });
  const { connector_id: id } = await create({ settings, access: 'source' });
  expect(await run(id)).toMatchObject({ state: 'done', added: 4, readers_changed: 0, readers_unknown: 1, failed: 0 });
  expect(await readersNow()).toEqual({
    'a.md': ['domain:hr.kr', 'user:ada@example.kr'],
    'b.md': null,
    'c.md': [],
    'd.md': [],
  });
  const [first] = (await verbs.runs(actor, collectionId, id)).items;
  expect(first?.problems).toEqual([
    {
      name: 'd.md',
      code: 'readers_unknown',
      reason: expect.stringContaining('cannot be told') as string,
      reason_code: 'readers_unknown',
    },
  ]);
  const has = () =>
    database.db.query
      .selectFrom('collections')
      .select('has_restricted')
      .where('id', '=', collectionId)
      .executeTakeFirst();
  expect(await has()).toEqual({ has_restricted: true });
  fetched.splice(0);
  expect(await run(id)).toMatchObject({ added: 0, changed: 0, readers_changed: 0 });
  library.set('a', { version: '1', readers: [person('bob@example.kr')] });
  library.set('b', { version: '1', readers: [person('bob@example.kr')] });
  expect(await run(id, { dry: true })).toMatchObject({ readers_changed: 2 });
  expect(await readersNow()).toMatchObject({ 'b.md': null });
  const second = await run(id);
  expect(second).toMatchObject({ changed: 0, readers_changed: 2 });
  expect(second?.changes).toEqual([
    { name: 'a.md', change: 'readers' },
    { name: 'b.md', change: 'readers' },
  ]);
  expect(fetched).toEqual([]);
  expect(await readersNow()).toMatchObject({ 'a.md': ['user:bob@example.kr'], 'b.md': ['user:bob@example.kr'] });
});

test('what is there is for its new readers before what changed in it is taken', async () => {
  library.set('a', { version: '1', readers: [person('ada@example.kr')] });
  const { connector_id: id } = await create({ settings, access: 'source' });
  await run(id);
  library.set('a', { version: '2', readers: [person('bob@example.kr')] });
  expect(await run(id)).toMatchObject({ changed: 1, readers_changed: 0 });
  const rows = await database.db.query
    .selectFrom('documents')
    .select('readers')
    .where('collection_id', '=', collectionId)
    .execute();
  expect(rows).toEqual([{ readers: ['user:bob@example.kr'] }, { readers: ['user:bob@example.kr'] }]);
});

test('who is in groups is told by the source, else by whoever looks after the connector; nobody in others, which the run names', async () => {
  members.set('1', [person('ada@example.kr'), group('2')]);
  library.set('a', { version: '1', readers: [group('1'), group('2'), group('3')] });
  const groups = [{ name: 'Group 2', members: ['Bob@example.kr'] }];
  const { connector_id: id } = await create({ settings, access: 'source', groups });
  expect((await run(id))?.problems).toEqual([
    {
      name: 'Group 3',
      code: 'group_unknown',
      reason: expect.stringContaining('nobody') as string,
      reason_code: 'group_unknown',
    },
  ]);
  expect(await groupsNow()).toEqual({
    'Group 1': [`group:${id}/2`, 'user:ada@example.kr'],
    'Group 2': ['user:bob@example.kr'],
    'Group 3': null,
  });
  members.set('1', []);
  library.set('a', { version: '1', readers: [group('1')] });
  expect(await run(id)).toMatchObject({ readers_changed: 1, problems: [] });
  expect(await groupsNow()).toEqual({ 'Group 1': [] });
  await verbs.change(actor, collectionId, id, { groups: [{ name: 'group 1', members: ['eve@example.kr'] }] });
  await run(id);
  expect(await groupsNow()).toEqual({ 'Group 1': [] });
  await verbs.change(actor, collectionId, id, { groups: [{ name: 'Group 1', members: ['eve@example.kr'] }] });
  await run(id);
  expect(await groupsNow()).toEqual({ 'Group 1': ['user:eve@example.kr'] });
});

test('where a document has several lists, it is for those who are on all of them, by themselves, by a group or by their domain', async () => {
  members.set(
    '1',
    ['ada', 'bob', 'eve'].map((name) => person(`${name}@example.kr`)),
  );
  const domain: SourceReader = { kind: 'domain', domain: 'example.kr' };
  const readers = {
    allOf: [
      [group('1'), person('ian@other.kr')],
      [group('2'), group('3'), person('Eve@example.kr')],
      [domain, person('ian@other.kr')],
    ],
  };
  library.set('a', { version: '1', readers });
  library.set('b', { version: '1', readers: { allOf: [[group('1')], [group('3')]] } });
  const groups = [{ name: 'Group 2', members: ['bob@example.kr', 'ian@other.kr', 'kim@example.kr'] }];
  const { connector_id: id } = await create({ settings, access: 'source', groups });
  const first = await run(id);
  expect(first?.problems).toMatchObject([{ name: 'Group 3', code: 'group_unknown' }]);
  const two = ['user:bob@example.kr', 'user:eve@example.kr'];
  expect(await readersNow()).toEqual({ 'a.md': [...two, 'user:ian@other.kr'], 'b.md': [] });
  expect(await run(id, { dry: true })).toMatchObject({ readers_changed: 0 });
  members.set('1', [person('eve@example.kr')]);
  expect(await run(id)).toMatchObject({ readers_changed: 1 });
  expect(await readersNow()).toMatchObject({ 'a.md': ['user:eve@example.kr', 'user:ian@other.kr'] });
});

test('long lists are groups of their own, which go with their documents', async () => {
  const many = Array.from({ length: 101 }, (_, at) => person(`${at}@example.kr`));
  library.set('a', { version: '1', readers: many });
  const { connector_id: id } = await create({ settings, access: 'source' });
  await run(id);
  expect(await readersNow()).toEqual({ 'a.md': [`list:${id}/a`] });
  expect((await groupsNow())['']).toHaveLength(101);
  library.set('a', { version: '1', readers: [...many, person('ada@example.kr')] });
  expect(await run(id)).toMatchObject({ readers_changed: 1 });
  expect((await groupsNow())['']).toHaveLength(102);
  library.set('a', { version: '1', readers: many.slice(0, 2) });
  await run(id);
  expect([await readersNow(), await groupsNow()]).toEqual([{ 'a.md': ['user:0@example.kr', 'user:1@example.kr'] }, {}]);
});

test('for whom documents are can be changed, and only of sources that tell', async () => {
  await expect(create({ access: 'source' })).rejects.toMatchObject({ code: 'invalid_request', param: 'access' });
  library.set('a', { version: '1', readers: [person('ada@example.kr')] });
  const { connector_id: id } = await create({ settings });
  await run(id);
  expect(await readersNow()).toEqual({ 'a.md': null });
  expect(await verbs.change(actor, collectionId, id, { access: 'source' })).toMatchObject({ access: 'source' });
  expect(await run(id)).toMatchObject({ readers_changed: 1 });
  expect(await readersNow()).toEqual({ 'a.md': ['user:ada@example.kr'] });
  await verbs.change(actor, collectionId, id, { access: 'collection' });
  expect(await run(id)).toMatchObject({ readers_changed: 1 });
  expect(await readersNow()).toEqual({ 'a.md': null });
});
