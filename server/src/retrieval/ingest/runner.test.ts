import { createParsePool, standardLimits, unlimitedWork } from '@ai-studio/documents';
import { killReaders, readingEndlessly } from '@ai-studio/documents/test/processes.ts';
import { openTestCalls } from '../../../test/support/inference.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { insertCollection, insertIngestJob } from '../../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { createFolderBlobStore } from '../../adapters/embedded/folder-blob-store.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import { createTenantTurns } from '../../jobs/tenant-turns.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { toStudioError } from '../../ports/failure.ts';
import { parseFailures } from '../../parsing/index.ts';
import { originalKey } from '../documents/rows.ts';
import { deleteDocument, reindexDocument } from '../documents/verbs.ts';
import { claimNext, failJob, ingestJobs, takeUpIngest } from './jobs.ts';
import { purgeCollections } from './purge.ts';
import { type IngestDeps, startIngest } from './runner.ts';

const folder = temporaryFolder();
const tenantId = hexId() as TenantId;
const actor = unlimitedActor({ tenantId, keyId: null, userId: 'ada' });
let database: FreshDatabase;
let deps: IngestDeps;
let collectionId: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  collectionId = await insertCollection(db.query, tenantId, 'ada');
  const none = () => Promise.resolve();
  const unused = { index: { tables: async () => [], remove: none, dropTable: none }, texts: {}, pool: {} };
  deps = {
    db,
    bus: createPostgresBus(db),
    // No file is in it: whatever is begun fails for that.
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    folder,
    limits: standardLimits,
    timeoutMs: 10_000,
    work: unlimitedWork,
    slowMs: 10_000,
    size: 1,
    retryHours: 1,
    pollMs: 50,
    calls: openTestCalls(),
    log: silent,
    queryTimeoutMs: 10_000,
    rerankTimeoutMs: 10_000,
    now: Date.now,
    ...(unused as unknown as Pick<IngestDeps, 'index' | 'texts' | 'pool' | 'catalogue'>),
  };
});
afterAll(async () => {
  await deps.bus.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => database.db.query.deleteFrom('documents').execute());

const give = (kind: 'document' | 'build' = 'document') =>
  insertIngestJob(database.db.query, { tenantId, collectionId, kind });

async function claim() {
  const job = await claimNext(database.db, createTenantTurns());
  if (job === null) throw new Error('nothing waits');
  return job;
}

const documentOf = (id: string) =>
  database.db.query.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a document whose process was killed', () => {
  /** What becomes of a document that was left with so many attempts. */
  async function outcome(change: { readonly attempts: number; readonly waiting_since?: Date }) {
    const id = await give();
    await claim();
    const seenAt = new Date(Date.now() - 3_600_000);
    await database.db.query
      .updateTable('ingest_jobs')
      .set({ ...change, seen_at: seenAt })
      .execute();
    const ingest = await startIngest(deps);
    try {
      return await eventually(async () => {
        // It waits before it is begun again, for up to a minute.
        await database.db.query
          .updateTable('ingest_jobs')
          .set({ not_before: new Date(0) })
          .execute();
        const row = await database.db.query
          .selectFrom('documents')
          .select(['state', 'error_code'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(row.state).toBe('failed');
        return row.error_code;
      });
    } finally {
      await ingest.close();
    }
  }

  test('is taken up when its lease has run out', async () => {
    covers('retrieval.ingest.resume');
    expect(await outcome({ attempts: 3 })).toBe('FILE_LOST');
  });

  test('waits longer each time before it is begun again, once it may be what ends the service', async () => {
    covers('retrieval.ingest.resume');
    const { query } = database.db;
    await give();
    const waits: number[] = [];
    for (const attempts of [1, 3, 4, 6, 9]) {
      await query
        .updateTable('ingest_jobs')
        .set({ not_before: new Date(0) })
        .execute();
      await claim();
      await query.updateTable('ingest_jobs').set({ attempts }).execute();
      expect(await ingestJobs.takeUpAll(query)).toBe(1);
      const { rows } = await sql<{ wait: number }>`
        SELECT round(extract(epoch FROM not_before - clock_timestamp()))::int AS wait FROM ingest_jobs`.execute(query);
      waits.push(Math.max(0, rows[0]?.wait ?? -1));
    }
    expect(waits).toEqual([0, 0, 2, 8, 60]);
  });

  test('is given up when it was begun too often', async () => {
    expect(await outcome({ attempts: ingestJobs.maxAttempts })).toBe('INTERNAL');
  });

  test('is begun once more where it waited for something that was away', async () => {
    expect(await outcome({ attempts: ingestJobs.maxAttempts, waiting_since: new Date() })).toBe('FILE_LOST');
  });
});

test('a service that has its database to itself goes on at once with what an earlier start was taking in', async () => {
  covers('retrieval.ingest.resume');
  const id = await give();
  await claim();
  // Its lease does not run out in this test.
  await database.db.query
    .updateTable('ingest_jobs')
    .set({ seen_at: new Date(Date.now() + 3_600_000) })
    .execute();
  await takeUpIngest(database.db);
  const ingest = await startIngest(deps);
  try {
    await eventually(async () => expect(await documentOf(id)).toMatchObject({ error_code: 'FILE_LOST' }));
  } finally {
    await ingest.close();
  }
});

test('what could not be read of a document stands at it', async () => {
  const id = await give();
  const key = originalKey({ id, tenantId });
  await deps.blobs.put(key, Readable.from([Buffer.from('x')]));
  const warnings = [{ code: 'pages_left_out', message: 'Page 9 was not read.', page: 9 }];
  const given: object[] = [];
  const pool: IngestDeps['pool'] = {
    parse(_tenant, _job, { work }) {
      given.push(work ?? {});
      return Promise.resolve({ bytes: new Uint8Array(), pages: 9, isEmpty: false, format: 'pdf', warnings });
    },
  };
  const work = { pageMs: 7, documentMs: 8 };
  const ingest = await startIngest({ ...deps, pool, work });
  try {
    await eventually(async () => expect(await documentOf(id)).toMatchObject({ page_count: 9, warnings }));
    expect(given[0]).toEqual(work);
  } finally {
    await ingest.close();
    await deps.blobs.delete(key);
  }
});

describe('a document whose reading process is killed', () => {
  /** Kills the process so often while a document is read, and waits until that is decided. */
  async function killed(times: number, decided: object, endless = false) {
    const limits = { heapMb: 128, memoryBytes: 400 * 1024 * 1024, maxQueue: 5 };
    const pool = createParsePool({ ...limits, folder, size: 1, failures: parseFailures, log: silent, retryDelayMs: 0 });
    const id = await give();
    await deps.blobs.put(originalKey({ id, tenantId }), Readable.from([Buffer.from('글')]));
    const ingest = await startIngest({ ...deps, pool: endless ? readingEndlessly(pool, folder) : pool });
    try {
      await killReaders(folder, times);
      await eventually(async () => expect(await documentOf(id)).toMatchObject(decided));
    } finally {
      await ingest.close();
      await pool.close();
    }
  }

  test('is read all the same', () => killed(2, { page_count: 1 }));

  test('three times has failed for that, and not as damaged', () =>
    killed(3, { state: 'failed', error_code: 'PROCESS_ENDED' }, true));
});

test('a table that was lost while no process ran is missed at the first look', async () => {
  const lost = await insertCollection(database.db.query, tenantId, 'ada');
  const collections = database.db.query.updateTable('collections').where('id', '=', lost);
  await collections.set({ index_state: 'ready' }).execute();
  // Its time stands still: a later look never comes.
  const ingest = await startIngest({ ...deps, now: () => 0 });
  try {
    await eventually(async () => {
      const { index_state: state } = await database.db.query
        .selectFrom('collections')
        .select('index_state')
        .where('id', '=', lost)
        .executeTakeFirstOrThrow();
      expect(state).not.toBe('ready');
    });
  } finally {
    await ingest.close();
    await collections.set({ deleted_at: new Date() }).execute();
  }
});

const address = (documentId: string) => ({ documentId, collectionId });

describe('locks are taken in one order', () => {
  const removed = async () => {
    const deleted = await insertCollection(database.db.query, tenantId, 'ada');
    await database.db.query.updateTable('documents').set({ collection_id: deleted }).execute();
    await database.db.query
      .updateTable('collections')
      .set({ deleted_at: new Date() })
      .where('id', '=', deleted)
      .execute();
    await purgeCollections(deps, new AbortController().signal);
  };

  test.each([
    ['reindexing a document', 'ingest_jobs', 'documents', (id: string) => reindexDocument(deps, actor, address(id))],
    ['deleting a document', 'ingest_jobs', 'documents', (id: string) => deleteDocument(deps, actor, address(id))],
    ['removing a deleted collection', 'ingest_jobs', 'documents', removed],
    [
      'giving a job up',
      'collections',
      'ingest_jobs',
      async () => failJob(deps.db, await claim(), { code: 'X', message: 'x' }),
    ],
  ] as const)('by %s: %s before %s', async (_name, held, free, work) => {
    const id = await give('build');
    let working: Promise<unknown> = Promise.resolve();
    try {
      await database.db.transaction(async (tx) => {
        await sql`SELECT FROM ${sql.table(held)} FOR UPDATE`.execute(tx);
        working = work(id);
        await eventually(async () => {
          const { rows } = await sql`SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.db.query);
          expect(rows).toHaveLength(1);
        });
        // What comes later in the order is not locked by whoever waits for what comes first.
        await sql`SELECT FROM ${sql.table(free)} FOR UPDATE NOWAIT`.execute(tx);
      });
    } finally {
      await working;
    }
  });
});

test('a document that is deleted while a reindex of it begins is not found', async () => {
  const id = await give('document');
  const { db } = deps;
  const transaction: typeof db.transaction = async (work) => {
    await deleteDocument(deps, actor, address(id));
    return db.transaction(work);
  };
  const failure = await reindexDocument({ ...deps, db: { ...db, transaction } }, actor, address(id)).catch(
    toStudioError,
  );
  expect(failure).toMatchObject({ code: 'not_found' });
});
