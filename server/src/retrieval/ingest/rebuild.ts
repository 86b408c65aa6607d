import { sql } from 'kysely';
import { hexId } from '../../kernel/ids.ts';
import { type CollectionRow, embeddingOf } from '../collections/rows.ts';
import { startBuild } from '../collections/build.ts';
import { collectionOfTable, tableShape } from '../collections/index-table-name.ts';
import type { IndexingDeps } from '../deps.ts';
import { isVectorOf } from '../embedding.ts';
import { unpackVector } from '../stored-vector.ts';
import { canIndex, indexRows } from '../writing/rows.ts';
import { afterSeconds, databaseNow, markTableLost } from '../writing/table.ts';
import { wakeIngest } from './wake.ts';

// Tables of the index that were lost are filled anew from the database; no model is asked. Where the database lacks vectors, searches go
// by the others until the collection is made anew, for which its model is asked.

const LEASE_SECONDS = 20;
const HEARTBEAT_MS = 5_000;
/** Rows that are put into the index by one call. */
const BATCH = 500;

/** Claims a collection whose table must be rebuilt; null where there is none. */
async function claim({ query }: IndexingDeps['db'], claimId: string): Promise<CollectionRow | null> {
  const row = await query
    .updateTable('collections')
    .set({ claim: claimId, seen_at: databaseNow })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('collections')
        .select('id')
        .where('index_state', '=', 'rebuilding')
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`(claim IS NULL OR seen_at < clock_timestamp() - ${LEASE_SECONDS} * interval '1 second')`)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The next chunks that searches see, after those of a document and a row. */
export async function batchOf({ db }: IndexingDeps, collection: CollectionRow, after: readonly [string, string]) {
  return db.query
    .selectFrom('chunks')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', 'chunks.document_id').onRef('documents.revision', '=', 'chunks.revision'),
    )
    .leftJoin('chunk_vectors', (join) =>
      join.onRef('chunk_vectors.row_id', '=', 'chunks.row_id').on(isVectorOf(embeddingOf(collection))),
    )
    .select([
      'chunks.row_id',
      'chunks.id',
      'chunks.document_id',
      'chunks.title',
      'chunks.headings',
      'chunks.content',
      'chunks.context',
      'chunks.start_page',
      'chunks.end_page',
      'chunk_vectors.vector',
      'documents.name',
      'documents.created_at',
      'documents.metadata',
      'documents.indexed_fields',
      'documents.readers',
    ])
    .where('documents.collection_id', '=', collection.id)
    .where(sql<boolean>`(chunks.document_id, chunks.row_id) > (${after[0]}, ${after[1]})`)
    .orderBy('chunks.document_id')
    .orderBy('chunks.row_id')
    .limit(BATCH)
    .execute();
}

type Batch = Awaited<ReturnType<typeof batchOf>>;

/** Chunks as rows of the index. */
export async function rowsOf(deps: IndexingDeps, batch: Batch, named: readonly string[], signal: AbortSignal) {
  const rows = [];
  const byDocument = Map.groupBy(batch, ({ document_id: id }) => id);
  for (const chunks of byDocument.values()) {
    const [first] = chunks;
    if (first === undefined) continue;
    const described = { ...first, indexed_fields: [...first.indexed_fields, ...named] };
    const own = chunks.map((chunk) => ({
      ...chunk,
      vector: chunk.vector === null ? null : unpackVector(chunk.vector),
    }));
    rows.push(...(await indexRows(deps, described, own, { signal })));
  }
  return rows;
}

/** Fills the table of one collection. Resolves with false when the claim was lost. */
async function fill(deps: IndexingDeps, collection: CollectionRow, claimId: string, signal: AbortSignal) {
  const { db, index } = deps;
  const { index_table: table, ingest_config: config } = collection;
  const embedding = embeddingOf(collection);
  const own = () =>
    db.query
      .updateTable('collections')
      .where('id', '=', collection.id)
      .where('index_table', '=', table)
      .where('claim', '=', claimId);
  let seenMs = deps.now();
  let made = false;
  let missing = 0;
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    signal.throwIfAborted();
    const batch = await batchOf(deps, collection, after);
    const last = batch.at(-1);
    if (last === undefined) break;
    after = [last.document_id, last.row_id];
    const complete = batch.filter(canIndex(embedding));
    missing += batch.length - complete.length;
    const rows = await rowsOf(deps, complete, config.indexed_fields, signal);
    const [first] = rows;
    if (first !== undefined) {
      if (!made) await index.createTable(table, tableShape(collection.tenant_id, first.vector.length));
      made = true;
      // What an earlier attempt put there, or a document that came meanwhile, is not doubled.
      await index.add(table, rows, { upsert: true });
    }
    if (deps.now() - seenMs > HEARTBEAT_MS) {
      seenMs = deps.now();
      const { numUpdatedRows } = await own().set({ seen_at: databaseNow }).executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
    }
  }
  const { dimension } = embedding;
  if (!made && dimension !== null) await index.createTable(table, tableShape(collection.tenant_id, dimension));
  const { numUpdatedRows } = await own()
    .set((eb) => ({
      index_state: dimension === null && !made ? 'none' : 'ready',
      index_version: eb('index_version', '+', 1),
      claim: null,
      seen_at: null,
    }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n && missing > 0) await embedMissing(deps, collection, missing);
  return numUpdatedRows > 0n;
}

/** Starts to make a collection anew that lacks vectors; those it has are taken over. */
async function embedMissing(deps: IndexingDeps, { id, index_table: table }: CollectionRow, missing: number) {
  deps.log.warn({ collectionId: id, missing }, 'collection lacks vectors: made anew with its present settings');
  await deps.db.transaction(async (tx) => {
    const row = await tx.selectFrom('collections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    // A change that is under way makes all vectors itself.
    if (row === undefined || row.build !== null || row.deleted_at !== null || row.index_table !== table) return;
    await startBuild(tx, row, { config: row.ingest_config, dimension: row.embedding_dimension, from: 'copying' });
  });
  await wakeIngest(deps);
}

/** Rebuilds all tables that were lost, one after the other. Failures are retried by the next maintenance. */
export async function rebuildLostTables(deps: IndexingDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const claimId = hexId();
    const collection = await claim(deps.db, claimId);
    if (collection === null) return;
    try {
      if (await fill(deps, collection, claimId, signal))
        deps.log.info({ collectionId: collection.id }, 'index of a collection rebuilt');
    } catch (error) {
      deps.log.warn({ err: error, collectionId: collection.id }, 'index of a collection could not be rebuilt yet');
      // The lease is shortened, so that any process can retry in a moment.
      await deps.db.query
        .updateTable('collections')
        .set({ seen_at: afterSeconds(signal.aborted ? -LEASE_SECONDS : 5 - LEASE_SECONDS) })
        .where('id', '=', collection.id)
        .where('claim', '=', claimId)
        .execute();
      return;
    }
  }
}

/** Marks missing tables as lost, and removes orphaned ones. */
export async function reconcileTables(deps: IndexingDeps): Promise<void> {
  const { db, index } = deps;
  const known = await db.query
    .selectFrom('collections')
    .select(['id', 'index_table', 'index_state', 'build', 'deleted_at'])
    .execute();
  // Without collections nothing is lost, and nothing of the index need be loaded.
  if (known.length === 0) return;
  const there = new Set(await index.tables());
  for (const { id, index_table: table, index_state: state, deleted_at: deletedAt } of known)
    if (state === 'ready' && deletedAt === null && !there.has(table)) await markTableLost(deps, id, table);
  const byId = new Map(known.map((one) => [one.id, one]));
  for (const table of there) {
    const id = collectionOfTable(table);
    // A collection that is not known may be one that was made just now.
    const owner = id === null ? undefined : byId.get(id);
    if (owner === undefined || owner.index_table === table || owner.build?.table === table) continue;
    const { index_table: now, build } = await db.query
      .selectFrom('collections')
      .select(['index_table', 'build'])
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow();
    if (now !== table && build?.table !== table)
      await db.query.insertInto('retrieval_removals').values({ kind: 'table', index_table: table }).execute();
  }
}
