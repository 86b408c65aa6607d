import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { createMemoryBlobs } from '../../../test/support/memory-blobs.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import type { IndexRow, SearchIndex } from '../../ports/search-index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { announce, enqueue } from '../documents/arrival.ts';
import { originalKey } from '../documents/rows.ts';
import { removeAbandonedUploads } from '../ingest/purge.ts';
import { processRemovals } from './removals.ts';
import { writeThrough } from './write.ts';

const tenantId = hexId() as TenantId;
const actor = unlimitedActor({ tenantId, keyId: null, userId: 'ada' });
const blobs = createMemoryBlobs();
const indexed = new Set<string>();
const index: Partial<SearchIndex> = {
  createTable: () => Promise.resolve(),
  add(_table, rows) {
    for (const { rowId } of rows) indexed.add(rowId);
    return Promise.resolve();
  },
  remove(_table, which) {
    if ('rowIds' in which) for (const id of which.rowIds) indexed.delete(id);
    return Promise.resolve();
  },
};
let database: FreshDatabase;
let deps: RetrievalDeps;

beforeAll(async () => {
  database = await freshDatabase();
  deps = { db: database.db, index, blobs, log: silent } as Partial<RetrievalDeps> as RetrievalDeps;
  await database.db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
});
afterAll(() => database.close());

const makeDue = () =>
  database.db.query
    .updateTable('retrieval_removals')
    .set({ not_before: sql<Date>`clock_timestamp() - interval '1 second'` })
    .execute();

test('a write that took longer than its rows were spared adds them again', async () => {
  const collectionId = await insertCollection(database.db.query, tenantId, 'ada');
  let attempts = 0;
  const rows = async function* () {
    attempts++;
    yield [{ rowId: `row-${attempts}`, vector: [1] } as Partial<IndexRow> as IndexRow];
    if (attempts > 1) return;
    // So much time passes that another process removes them.
    await makeDue();
    await processRemovals(deps);
    expect([...indexed]).toEqual([]);
  };
  await writeThrough(deps, { collectionId, rows, commit: () => Promise.resolve([]) });
  expect(attempts).toBe(2);
  expect([...indexed]).toEqual(['row-2']);
  expect(await database.db.query.selectFrom('retrieval_removals').select('id').execute()).toEqual([]);
});

test('an upload that broke off is removed with its file; one that is taken in at last keeps it', async () => {
  const { db } = database;
  const collectionId = await insertCollection(db.query, tenantId, 'ada');
  const collection = await db.query
    .selectFrom('collections')
    .selectAll()
    .where('id', '=', collectionId)
    .executeTakeFirstOrThrow();
  const one = {
    name: 'a.txt',
    externalId: null,
    bytes: 1,
    sha256: 'x',
    format: 'text',
    metadata: {},
    indexedFields: [],
  } as const;
  const [late, lost] = [
    { ...one, id: hexId() },
    { ...one, id: hexId() },
  ];
  await announce({ db }, actor, collection, [late, lost]);
  for (const { id } of [late, lost]) await blobs.put(originalKey({ id, tenantId }), Readable.from([Buffer.from('a')]));
  await db.query
    .updateTable('documents')
    .set({ created_at: sql<Date>`clock_timestamp() - interval '2 hours'` })
    .execute();
  await enqueue({ db }, collectionId, [late]);
  await removeAbandonedUploads(deps);
  expect(await db.query.selectFrom('documents').select('id').execute()).toEqual([{ id: late.id }]);
  expect(await blobs.get(originalKey({ id: late.id, tenantId }))).not.toBeNull();
  expect(await blobs.get(originalKey({ id: lost.id, tenantId }))).toBeNull();
});
