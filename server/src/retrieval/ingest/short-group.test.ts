import { Readable } from 'node:stream';
import { standardLimits } from '@ai-studio/documents';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestCalls } from '../../../test/support/inference.ts';
import { insertCollection, insertIngestJob } from '../../../test/support/ingest-jobs.ts';
import { createMemoryBlobs } from '../../../test/support/memory-blobs.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { createFolderFiles, createLanceIndex } from '../../adapters/embedded/lance-index/index.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import { createTenantTurns } from '../../jobs/tenant-turns.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import { originalKey } from '../documents/rows.ts';
import { createTextWorkers } from '../texts/index.ts';
import { createCallLimit } from './embed-together.ts';
import { claimGroup } from './jobs.ts';
import { RowsRemoved } from './publish-group.ts';
import { type GroupDeps, takeInShort } from './short-group.ts';

const folder = temporaryFolder();
const tenantId = hexId() as TenantId;
const blobs = createMemoryBlobs();
const { signal } = new AbortController();
let database: FreshDatabase;
let index: SearchIndex;
let deps: GroupDeps;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  index = createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log: silent });
  deps = {
    db,
    bus: createPostgresBus(db),
    index,
    blobs,
    calls: openTestCalls(),
    texts: createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' }),
    limits: standardLimits,
    callLimit: createCallLimit(),
    log: silent,
    queryTimeoutMs: 10_000,
    rerankTimeoutMs: 10_000,
    now: Date.now,
    learned: { of: () => ({ ratio: 1 }) },
  } as unknown as GroupDeps;
});
afterAll(async () => {
  await deps.texts.close();
  await deps.bus.close();
  await index.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await database.db.query.deleteFrom('documents').execute();
  await database.db.query.deleteFrom('retrieval_removals').execute();
});

/** A short text that waits. */
async function give(collectionId: string): Promise<string> {
  const { query } = database.db;
  const id = await insertIngestJob(query, { tenantId, collectionId });
  await query.updateTable('documents').set({ name: 'a.txt', format: 'text' }).where('id', '=', id).execute();
  await query.updateTable('ingest_jobs').set({ short: true }).where('document_id', '=', id).execute();
  await blobs.put(originalKey({ id, tenantId }), Readable.from([Buffer.from('고래는 바다에 산다.')]));
  return id;
}

const newCollection = () => insertCollection(database.db.query, tenantId, 'ada');
const stateOf = async (id: string) =>
  (await database.db.query.selectFrom('documents').select('state').where('id', '=', id).executeTakeFirstOrThrow())
    .state;
const jobOf = (id: string) =>
  database.db.query
    .selectFrom('ingest_jobs')
    .select(['state', 'attempts'])
    .where('document_id', '=', id)
    .executeTakeFirst();

test('a collection that has gone holds up no other of the same claim', async () => {
  const [gone, other] = [await newCollection(), await newCollection()];
  const [ofGone, ofOther] = [await give(gone), await give(other)];
  const jobs = await claimGroup(database.db, createTenantTurns());
  expect(jobs.length).toBe(2);
  await database.db.query.updateTable('collections').set({ deleted_at: new Date() }).where('id', '=', gone).execute();
  const goneFirst = jobs.toSorted((a, b) => Number(b.collection_id === gone) - Number(a.collection_id === gone));
  await takeInShort(deps, goneFirst, signal);
  expect(await stateOf(ofOther)).toBe('ready');
  expect(await jobOf(ofGone)).toEqual({ state: 'queued', attempts: 0 });
});

test('documents whose rows somebody has begun to remove do not become visible without them', async () => {
  const { query } = database.db;
  const id = await give(await newCollection());
  const jobs = await claimGroup(database.db, createTenantTurns());
  const slowIndex: SearchIndex = Object.assign(Object.create(index) as SearchIndex, {
    async add(...given: Parameters<SearchIndex['add']>) {
      await index.add(...given);
      // As whoever takes removals up does, once they are due.
      await query
        .updateTable('retrieval_removals')
        .set({ not_before: new Date(Date.now() + 30_000) })
        .execute();
    },
  });
  await expect(takeInShort({ ...deps, index: slowIndex }, jobs, signal)).rejects.toThrow(RowsRemoved);
  expect(await stateOf(id)).toBe('parsing');
  expect(await jobOf(id)).toMatchObject({ state: 'running' });
  // In time, it is found.
  await takeInShort(deps, jobs, signal);
  expect(await stateOf(id)).toBe('ready');
});
