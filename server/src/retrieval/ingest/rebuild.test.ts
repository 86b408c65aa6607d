import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestCalls } from '../../../test/support/inference.ts';
import { insertCollection, insertIngestJob } from '../../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { createFolderFiles, createLanceIndex } from '../../adapters/embedded/lance-index/index.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import type { NearestQuery, SearchIndex } from '../../ports/search-index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { changeDocument } from '../documents/verbs.ts';
import { packVector } from '../stored-vector.ts';
import { createTextWorkers } from '../texts/index.ts';
import { checkIndexes } from './check-indexes.ts';
import { moveIndexes } from './move-indexes.ts';
import { rebuildLostTables } from './rebuild.ts';

const LENGTH = 4;
const folder = temporaryFolder();
const tenantId = hexId() as TenantId;
const { signal } = new AbortController();
let database: FreshDatabase;
let index: SearchIndex;
let deps: RetrievalDeps;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  index = createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log: silent });
  deps = {
    db,
    bus: createPostgresBus(db),
    index,
    calls: openTestCalls(),
    texts: createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' }),
    log: silent,
    queryTimeoutMs: 10_000,
    rerankTimeoutMs: 10_000,
    now: Date.now,
    ...({} as Pick<RetrievalDeps, 'blobs' | 'catalogue'>),
  };
});
afterAll(async () => {
  await deps.texts.close();
  await deps.bus.close();
  await index.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** A collection of a model whose index is lost, with a document of one chunk for each vector; null where that is missing. */
async function lostCollection(vectors: readonly (number | null)[]) {
  const { query } = database.db;
  const collectionId = await insertCollection(query, tenantId, 'ada');
  const { ingest_config: config } = await query
    .updateTable('collections')
    .set({ index_state: 'rebuilding', embedding_dimension: LENGTH })
    .where('id', '=', collectionId)
    .returning('ingest_config')
    .executeTakeFirstOrThrow();
  await query
    .updateTable('collections')
    .set({ ingest_config: JSON.stringify({ ...config, embedding_model: 'small', embedding_dimension: null }) })
    .where('id', '=', collectionId)
    .execute();
  const documentIds: string[] = [];
  for (const vector of vectors) {
    const documentId = await insertIngestJob(query, { tenantId, collectionId, kind: 'document' });
    await query.deleteFrom('ingest_jobs').where('document_id', '=', documentId).execute();
    await query
      .updateTable('documents')
      .set({ state: 'ready', revision: 1, chunk_count: 1 })
      .where('id', '=', documentId)
      .execute();
    const rowId = hexId();
    await query
      .insertInto('chunks')
      .values({
        row_id: rowId,
        id: hexId(),
        tenant_id: tenantId,
        collection_id: collectionId,
        document_id: documentId,
        revision: 1,
        ord: 0,
        title: '',
        headings: '[]',
        content: '고래 바다',
        tokens: 2,
      })
      .execute();
    if (vector !== null)
      await query
        .insertInto('chunk_vectors')
        .values({ row_id: rowId, model: 'small', vector: packVector(new Float32Array(vector).fill(1)) })
        .execute();
    documentIds.push(documentId);
  }
  return { collectionId, documentIds };
}

const collectionOf = (id: string) =>
  database.db.query.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const hitsOf = async (collectionId: string) => {
  const { index_table: table } = await collectionOf(collectionId);
  const hits = await index.nearest(table, { vector: new Float32Array(LENGTH).fill(1), limit: 10 });
  const rows = await database.db.query.selectFrom('chunks').select(['row_id', 'document_id']).execute();
  const documents = new Map(rows.map((row) => [row.row_id, row.document_id]));
  // What is in the index alone is of no document.
  return hits.map(({ rowId }) => documents.get(rowId) ?? `of-${rowId}`);
};

test('an index that is rebuilt has the rows that have a vector of the model; those that lack one are embedded by a rebuild', async () => {
  const { collectionId, documentIds } = await lostCollection([LENGTH, null, 2 * LENGTH]);
  await rebuildLostTables(deps, signal);
  const { index_state: state, build } = await collectionOf(collectionId);
  expect(state).toBe('ready');
  expect(await hitsOf(collectionId)).toEqual([documentIds[0]]);
  expect(build).toMatchObject({ from: 'copying', dimension: LENGTH, config: { embedding_model: 'small' } });
});

test('an index of which the database has all vectors is rebuilt without a model', async () => {
  const { collectionId, documentIds } = await lostCollection([LENGTH, LENGTH]);
  await rebuildLostTables(deps, signal);
  expect((await collectionOf(collectionId)).build).toBeNull();
  expect((await hitsOf(collectionId)).toSorted()).toEqual(documentIds.toSorted());
});

test('an index is rebuilt from vectors of 16 bits, beside those of 32, and finds the same', async () => {
  const { collectionId, documentIds } = await lostCollection([LENGTH, LENGTH, LENGTH / 2]);
  const halves = documentIds.slice(1).map((id, at) => [id, at === 0 ? LENGTH : 2 * LENGTH] as const);
  for (const [id, length] of halves)
    await database.db.query
      .updateTable('chunk_vectors')
      .set({ vector: packVector(new Float32Array(length).fill(1), 'float16') })
      .where('row_id', 'in', (eb) => eb.selectFrom('chunks').select('row_id').where('document_id', '=', id))
      .execute();
  await rebuildLostTables(deps, signal);
  // One with twice as many numbers takes as much room as one of 32 bits, and is none of this collection.
  expect((await hitsOf(collectionId)).toSorted()).toEqual(documentIds.slice(0, 2).toSorted());
});

test('a document whose vectors are missing keeps being changed, and gets none of another model', async () => {
  const { collectionId, documentIds } = await lostCollection([LENGTH, null]);
  await rebuildLostTables(deps, signal);
  const ctx = { ...unlimitedActor({ tenantId, keyId: null, userId: 'ada' }) };
  for (const documentId of documentIds) await changeDocument(deps, ctx, { documentId }, { metadata: { kind: 'sea' } });
  expect(await hitsOf(collectionId)).toEqual([documentIds[0]]);
});

test('an index that is compared with the database loses what nobody knows, not what is about to be shown', async () => {
  const { collectionId, documentIds } = await lostCollection([LENGTH]);
  await rebuildLostTables(deps, signal);
  const { index_table: table } = await collectionOf(collectionId);
  const row = (rowId: string) => ({
    rowId,
    chunkId: rowId,
    documentId: `of-${rowId}`,
    vector: new Float32Array(LENGTH).fill(1),
    terms: [],
    stems: [],
    fields: {},
  });
  const [stray, coming, late] = [hexId(), hexId(), hexId()];
  await index.add(table, [stray, coming, late].map(row));
  const { query } = database.db;
  const noted = (rowIds: readonly string[], time: string) =>
    query
      .insertInto('retrieval_removals')
      .values({ kind: 'rows', index_table: table, row_ids: [...rowIds], not_before: new Date(time) })
      .execute();
  await noted([coming], '2099-01-01');
  await noted([late], '2020-01-01');
  expect(await moveIndexes(deps, index, () => undefined)).toBeGreaterThan(0);
  expect((await hitsOf(collectionId)).toSorted()).toEqual([...documentIds, `of-${coming}`].toSorted());
});

test('an index that lay there while the database was taken back fits it afterwards, or is made anew', async () => {
  const { query } = database.db;
  // What the other tests left is none of this one.
  await query.updateTable('collections').set({ deleted_at: new Date() }).execute();
  const [later, broken, absent] = [
    await lostCollection([LENGTH, LENGTH]),
    await lostCollection([LENGTH]),
    await lostCollection([LENGTH]),
  ];
  for (let at = 0; at < 3; at++) await rebuildLostTables(deps, signal);
  const tableOf = async ({ collectionId }: { readonly collectionId: string }) =>
    (await collectionOf(collectionId)).index_table;
  const [table, lost] = [await tableOf(later), await tableOf(broken)];
  // A document that came after the copy was made, and one that went.
  const stray = {
    rowId: hexId(),
    chunkId: hexId(),
    documentId: 'later',
    vector: new Float32Array(LENGTH).fill(1),
    terms: [],
    stems: [],
    fields: {},
  };
  await index.add(table, [stray]);
  await index.remove(table, { documentIds: later.documentIds.slice(0, 1) });
  await index.dropTable(await tableOf(absent));
  // One that does not find what it has.
  const blind = {
    ...index,
    nearest: (name: string, query: NearestQuery) => (name === lost ? Promise.resolve([]) : index.nearest(name, query)),
  };
  // One that had no documents then, and has a table now; and one that was about to be made anew.
  const empty = await insertCollection(query, tenantId, 'ada');
  await index.createTable(await tableOf({ collectionId: empty }), { dimension: LENGTH });
  const before = await tableOf({ collectionId: empty });
  await query
    .updateTable('collections')
    .set({ index_state: 'rebuilding' })
    .where('id', '=', absent.collectionId)
    .execute();

  const said: string[] = [];
  expect(await checkIndexes({ ...deps, index: blind }, (message) => said.push(message))).toBe(1);
  expect(said.join('\n')).toMatch(/2 rows, \d written, 1 removed/);
  expect((await hitsOf(later.collectionId)).toSorted()).toEqual(later.documentIds.toSorted());
  expect(await tableOf(later)).toBe(table);
  expect(await tableOf({ collectionId: empty })).not.toBe(before);
  expect(await collectionOf(broken.collectionId)).toMatchObject({ index_state: 'rebuilding' });
  expect(await tableOf(broken)).not.toBe(lost);
  for (let at = 0; at < 2; at++) await rebuildLostTables(deps, signal);
  for (const one of [broken, absent]) expect(await hitsOf(one.collectionId)).toEqual(one.documentIds);
  // Where nobody can tell what is there, all is made anew.
  const away = { ...index, tables: () => Promise.reject(new Error('away')) };
  expect(await checkIndexes({ ...deps, index: away }, () => undefined)).toBe(0);
  expect(await tableOf(later)).not.toBe(table);
});
