import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { insertCollection, insertIngestJob } from '../../../test/support/ingest-jobs.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { createTenantTurns } from '../../jobs/tenant-turns.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { claimNext, failJob, advanceStage, heartbeat, ingestJobs, type Job, requeue } from './jobs.ts';
import { reportSlow } from './slow-model.ts';

let database: FreshDatabase;
const tenants = [hexId(), hexId(), hexId()] as TenantId[];
const collections = new Map<TenantId, string>();

beforeAll(async () => {
  database = await freshDatabase();
  const { query } = database.db;
  await query
    .insertInto('tenants')
    .values(tenants.map((id) => ({ id, name: id })))
    .execute();
  for (const tenant of tenants) collections.set(tenant, await insertCollection(query, tenant));
});
afterAll(() => database.close());
afterEach(() => database.db.query.deleteFrom('documents').execute());

async function give(tenantId: TenantId | undefined, kind: 'document' | 'build' = 'document'): Promise<string> {
  if (tenantId === undefined) throw new Error('no tenant');
  return insertIngestJob(database.db.query, { tenantId, collectionId: collections.get(tenantId) ?? '', kind });
}

const documentOf = (id: string) =>
  database.db.query.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const jobOf = (id: string) =>
  database.db.query.selectFrom('ingest_jobs').selectAll().where('document_id', '=', id).executeTakeFirstOrThrow();

test('tenants take turns, however many documents one has, and uploads come before changes of collections', async () => {
  covers('retrieval.ingest.fair');
  const [a, b, c] = tenants;
  for (let at = 0; at < 6; at++) await give(a);
  await give(b, 'build');
  for (let at = 0; at < 2; at++) await give(b);
  await give(c);
  const names = new Map(tenants.map((id, at) => [id, 'abc'[at]]));
  // Several at once: of those with the fewest under way.
  const claimed: Job[] = [];
  for (let at = 0; at < 5; at++) {
    const job = await claimNext(database.db, createTenantTurns());
    if (job) claimed.push(job);
  }
  const counts = Map.groupBy(claimed, ({ tenant_id: id }) => names.get(id));
  expect([counts.get('a')?.length, counts.get('b')?.length, counts.get('c')?.length]).toEqual([2, 2, 1]);
  expect(claimed.every(({ kind }) => kind === 'document')).toBe(true);
  for (const job of claimed) await requeue(database.db, job, { reason: null, afterSeconds: 0, counts: false });
  // One at a time: by whose turn was longest ago.
  const order: (string | undefined)[] = [];
  const turns = createTenantTurns();
  for (let at = 0; at < 10; at++) {
    const job = await claimNext(database.db, turns);
    if (job === null) break;
    order.push(names.get(job.tenant_id));
    await database.db.query.deleteFrom('ingest_jobs').where('document_id', '=', job.document_id).execute();
  }
  expect(new Set(order.slice(0, 3))).toEqual(new Set(['a', 'b', 'c']));
  expect(new Set(order.slice(3, 5))).toEqual(new Set(['a', 'b']));
  expect(order).toHaveLength(10);
});

test('a job that was given to another process can be changed by that one alone', async () => {
  covers('retrieval.ingest.resume');
  const id = await give(tenants[0]);
  const first = await claimNext(database.db, createTenantTurns());
  if (first === null) throw new Error('nothing to do');
  expect(await advanceStage(database.db.query, first, 'embedding')).toBe(true);
  // Its process is gone.
  await database.db.query
    .updateTable('ingest_jobs')
    .set({ seen_at: new Date(Date.now() - 60_000) })
    .execute();
  await ingestJobs.takeUpAbandoned(database.db.query);
  const second = await claimNext(database.db, createTenantTurns());
  expect(second).toMatchObject({ document_id: id, stage: 'embedding' });
  if (second === null) throw new Error('nothing to do');
  expect(await heartbeat(database.db, first, 0.1)).toBe(false);
  expect(await advanceStage(database.db.query, first, 'indexing')).toBe(false);
  await failJob(database.db, first, { code: 'X', message: 'x' });
  expect(await documentOf(id)).toMatchObject({ state: 'embedding', failures: [] });
  expect(await heartbeat(database.db, second, 0.5)).toBe(true);
  expect((await documentOf(id)).progress).toBeCloseTo(0.5);
});

test('reasons are kept, the last ten of them', async () => {
  covers('retrieval.ingest.waits');
  const id = await give(tenants[0]);
  for (let at = 0; at < 12; at++) {
    const job = await claimNext(database.db, createTenantTurns());
    if (job === null) throw new Error('nothing to do');
    await requeue(database.db, job, { reason: { code: `C${at}`, message: 'away' }, afterSeconds: 0, counts: true });
  }
  const waiting = await documentOf(id);
  expect(waiting.failures.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, (_, at) => `C${at + 2}`));
  expect(waiting).toMatchObject({ error_code: 'C11', state: 'parsing' });
  const job = await claimNext(database.db, createTenantTurns());
  if (job === null) throw new Error('nothing to do');
  expect(job.attempts).toBe(13);
  await failJob(database.db, job, { code: 'DONE', message: 'no more' });
  expect(await documentOf(id)).toMatchObject({ state: 'failed', error_code: 'DONE' });
  expect(await claimNext(database.db, createTenantTurns())).toBeNull();
});

test('a job that waits for something else than its turn is not claimed before its time', async () => {
  covers('retrieval.ingest.waits');
  const id = await give(tenants[0]);
  const job = await claimNext(database.db, createTenantTurns());
  if (job === null) throw new Error('nothing to do');
  await requeue(database.db, job, { reason: { code: 'AWAY', message: 'away' }, afterSeconds: 3_600, counts: true });
  expect(await claimNext(database.db, createTenantTurns())).toBeNull();
  await database.db.query
    .updateTable('ingest_jobs')
    .set({ not_before: new Date(0) })
    .execute();
  expect(await claimNext(database.db, createTenantTurns())).toMatchObject({ document_id: id, attempts: 2 });
});

test.each(['document', 'build'] as const)(
  'an embedding model that does not answer is told while it is waited for: %s',
  async (kind) => {
    const id = await give(tenants[0], kind);
    const job = await claimNext(database.db, createTenantTurns());
    if (job === null) throw new Error('nothing to do');
    const { promise, resolve } = Promise.withResolvers<string>();
    const deps = { db: database.db, log: silent, slowMs: 1 };
    const asked = reportSlow(deps, { job, model: 'm' }, () => promise);
    await eventually(async () => {
      const { error_code: code, failures } = await documentOf(id);
      expect(kind === 'document' ? code : failures.at(-1)?.code).toBe('EMBEDDING_SLOW');
      expect((await jobOf(id)).waiting_since).not.toBeNull();
    });
    resolve('vectors');
    expect(await asked).toBe('vectors');
    expect((await documentOf(id)).error_code).toBeNull();
    expect((await jobOf(id)).waiting_since).toBeNull();
    // Soon enough: nothing is told.
    await reportSlow({ ...deps, slowMs: 60_000 }, { job, model: 'm' }, () => Promise.resolve('vectors'));
    expect((await documentOf(id)).error_code).toBeNull();
  },
);
