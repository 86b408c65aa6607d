import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { createMemoryBlobs } from '../../../test/support/memory-blobs.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import { announce, type Arrival, discardArrivals, enqueue } from './arrival.ts';
import { originalKey } from './rows.ts';

const tenantId = hexId() as TenantId;
const actor = unlimitedActor({ tenantId, keyId: null, userId: 'ada' });
const blobs = createMemoryBlobs();
let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await database.db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
});
afterAll(() => database.close());

const arrival = (): Arrival => ({
  id: hexId(),
  name: 'a.txt',
  externalId: null,
  bytes: 1,
  sha256: 'x',
  format: 'text',
  metadata: {},
  indexedFields: [],
});

test('what failed to arrive is removed with its file; what waits after a lost reply to its commit keeps it', async () => {
  const { db } = database;
  const collectionId = await insertCollection(db.query, tenantId, 'ada');
  const collection = await db.query
    .selectFrom('collections')
    .selectAll()
    .where('id', '=', collectionId)
    .executeTakeFirstOrThrow();
  const [waits, failed] = [arrival(), arrival()];
  await announce({ db }, actor, collection, [waits, failed]);
  for (const { id } of [waits, failed])
    await blobs.put(originalKey({ id, tenantId }), Readable.from([Buffer.from('a')]));
  await enqueue({ db }, collectionId, [waits]);
  await discardArrivals({ db, blobs, log: silent, index: {} as SearchIndex }, actor, [waits.id, failed.id]);
  const rows = await db.query.selectFrom('documents').select(['id', 'state']).execute();
  expect(rows).toEqual([{ id: waits.id, state: 'queued' }]);
  expect(await blobs.get(originalKey({ id: waits.id, tenantId }))).not.toBeNull();
  expect(await blobs.get(originalKey({ id: failed.id, tenantId }))).toBeNull();
  expect(await db.query.selectFrom('retrieval_removals').select('id').execute()).toEqual([]);
});
