import type { Chunk, ChunkChange, NewChunk } from '@ai-studio/contract/retrieval/chunk.ts';
import type { Selectable } from 'kysely';
import type { Actor, CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { ChunksTable } from '../tables.ts';
import { type CollectionRow, embeddingOf, type Query, requireOwner } from '../collections/rows.ts';
import { openModelCall } from '../call.ts';
import type { RetrievalDeps } from '../deps.ts';
import { type DocumentAddress, type DocumentRow, findDocument } from '../documents/rows.ts';
import { embedByModel, vectorModel } from '../embedding.ts';
import { packVector } from '../stored-vector.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { embeddedText } from '../texts/embedded-text.ts';
import { indexRows } from '../writing/rows.ts';
import { databaseNow, findActiveCollection } from '../writing/table.ts';
import { WriteConflict, writeThrough } from '../writing/write.ts';
import { type ChunkAddress, findChunk, visibleChunks } from './find.ts';

type ChunkRow = Selectable<ChunksTable>;

/** Longest texts of a chunk; masked ones may be longer than they came. Source: decisions section 5. */
const MAX_CONTENT_LENGTH = 50_000;
const MAX_TITLE_LENGTH = 1_000;

/** The record of a chunk. */
const chunkRecord = (row: ChunkRow): Chunk => ({
  chunk_id: row.id,
  document_id: row.document_id,
  collection_id: row.collection_id,
  title: row.title,
  content: row.content,
  // Rows count from 0.
  order: row.ord + 1,
  metadata: {
    start_page: row.start_page,
    end_page: row.end_page,
    headings: row.headings,
    tokens: row.tokens,
    ...(row.context ? { context: row.context } : {}),
  },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/**
 * Chunks of a document in their order, with `page` those that stand on it; none before it can be found. Throws StudioError
 * `not_found`.
 */
export async function listChunks(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  address: DocumentAddress,
  { size, from, page }: { readonly size: number; readonly from: number; readonly page?: number | undefined },
) {
  const { id, chunk_count: all, revision } = await findDocument(query, actor, address);
  const chosen = visibleChunks(query, actor)
    .where('chunks.document_id', '=', id)
    .$if(page !== undefined, (some) =>
      some
        .where('chunks.start_page', '<=', page ?? 0)
        .where(({ fn }) => fn.coalesce('chunks.end_page', 'chunks.start_page'), '>=', page ?? 0),
    );
  const rows = await chosen.orderBy('chunks.ord').orderBy('chunks.id').limit(size).offset(from).execute();
  if (page === undefined) return { items: rows.map(chunkRecord), total: revision === null ? 0 : all, size, from };
  const { total } = await chosen
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { items: rows.map(chunkRecord), total: Number(total), size, from };
}

/** Throws StudioError `not_found`. */
export async function readChunk({ db: { query } }: DatabaseDeps, actor: Actor, address: ChunkAddress): Promise<Chunk> {
  return chunkRecord(await findChunk(query, actor, address));
}

type ChunkDraft = Pick<
  ChunkRow,
  'row_id' | 'id' | 'document_id' | 'title' | 'headings' | 'content' | 'start_page' | 'end_page'
> & { readonly context?: string | null };

/** The row of one chunk for the index, and its vector for the database; the lexical embedder's is not stored. */
async function prepareIndexRow(
  deps: RetrievalDeps,
  ctx: CallContext,
  collection: CollectionRow,
  document: DocumentRow,
  chunk: ChunkDraft,
) {
  const embedding = embeddingOf(collection);
  const { model } = embedding;
  const call = openModelCall(deps, ctx, 'chunks');
  const made =
    model === LEXICAL_MODEL
      ? null
      : await call.deferMetering(() =>
          embedByModel(deps, call, embedding, [embeddedText(chunk)], {
            as: 'passage',
            truncate: false,
            totalMs: deps.queryTimeoutMs,
          }),
        );
  if (made === null) call.meter({ model, engine: null });
  const vector = made?.vectors[0] ?? null;
  const named = [...document.indexed_fields, ...collection.ingest_config.indexed_fields];
  const rows = await indexRows(deps, { ...document, indexed_fields: named }, [{ ...chunk, vector }], { urgent: true });
  return {
    rows,
    stored:
      vector === null
        ? null
        : { row_id: chunk.row_id, model: vectorModel(embedding), vector: packVector(vector, deps.storedVectors) },
  };
}

type StoredVector = Awaited<ReturnType<typeof prepareIndexRow>>['stored'];

async function storeVector(tx: Query, stored: StoredVector): Promise<void> {
  if (stored === null) return;
  await tx
    .insertInto('chunk_vectors')
    .values(stored)
    .onConflict((conflict) => conflict.column('row_id').doUpdateSet({ model: stored.model, vector: stored.vector }))
    .execute();
}

/** Title and content as they are stored, with the tokens of the content: masked where the collection says so. */
async function maskedTexts(
  { db, texts }: RetrievalDeps,
  collectionId: string,
  { title, content }: { readonly title: string | undefined; readonly content: string | undefined },
) {
  const collection = await findActiveCollection(db.query, collectionId);
  const mask = collection?.ingest_config.pii_mask === true;
  const stored = await texts.do({ type: 'count', texts: [content ?? '', title ?? ''], mask }, { urgent: true });
  return {
    content: content === undefined ? undefined : stored[0]?.text.slice(0, MAX_CONTENT_LENGTH),
    tokens: content === undefined ? undefined : stored[0]?.tokens,
    title: title === undefined ? undefined : stored[1]?.text.slice(0, MAX_TITLE_LENGTH),
  };
}

/** Counts the change on its document, so that work in progress on it notices. Throws WriteConflict where it shows another revision. */
async function touchDocument(tx: Query, id: string, revision: number, chunks: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set((eb) => ({
      edits: eb('edits', '+', 1),
      chunks_edited: true,
      chunk_count: eb('chunk_count', '+', chunks),
      updated_at: databaseNow,
    }))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new WriteConflict();
}

/**
 * Changes title and content; the next search finds it so. Throws StudioError `not_found`, `forbidden`, `unavailable`, and the
 * EngineError of its embedding model.
 */
export async function changeChunk(
  deps: RetrievalDeps,
  ctx: CallContext,
  address: ChunkAddress,
  change: ChunkChange,
): Promise<Chunk> {
  const { db } = deps;
  const { actor } = ctx;
  let current = await findChunk(db.query, actor, address);
  requireOwner(actor, current);
  const { title, content, tokens } = await maskedTexts(deps, current.collection_id, {
    title: change.title,
    content: change.content,
  });
  let rowId = '';
  let stored: StoredVector = null;
  await writeThrough(deps, {
    collectionId: current.collection_id,
    async *rows(collection) {
      current = await findChunk(db.query, actor, address);
      const document = await findDocument(db.query, actor, { documentId: current.document_id });
      rowId = hexId();
      const draft = {
        ...current,
        row_id: rowId,
        title: title ?? current.title,
        content: content ?? current.content,
      };
      const prepared = await prepareIndexRow(deps, ctx, collection, document, draft);
      ({ stored } = prepared);
      yield prepared.rows;
    },
    async commit(tx) {
      const { numUpdatedRows } = await tx
        .updateTable('chunks')
        .set({
          row_id: rowId,
          ...(title === undefined ? {} : { title }),
          ...(content === undefined ? {} : { content }),
          ...(tokens === undefined ? {} : { tokens }),
          updated_at: databaseNow,
        })
        .where('row_id', '=', current.row_id)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new WriteConflict();
      await storeVector(tx, stored);
      await touchDocument(tx, current.document_id, current.revision, 0);
      return [current.row_id];
    },
  });
  return readChunk(deps, actor, address);
}

/**
 * Adds a chunk to a document that can be found; the next search finds it. Throws StudioError `not_found`, `forbidden`, `conflict` for
 * a document that is not ready, `unavailable`, and the EngineError of its embedding model.
 */
export async function addChunk(
  deps: RetrievalDeps,
  ctx: CallContext,
  address: DocumentAddress,
  given: NewChunk,
): Promise<Chunk> {
  const { db } = deps;
  const { actor } = ctx;
  const found = await findDocument(db.query, actor, address);
  requireOwner(actor, found);
  const stored = await maskedTexts(deps, found.collection_id, { title: given.title ?? '', content: given.content });
  const { title = '', content = '', tokens = 0 } = stored;
  const id = hexId();
  const { headings = [], start_page: startPage = null, end_page: endPage = startPage } = given.metadata ?? {};
  let rowId = '';
  let revision = -1;
  let vector: StoredVector = null;
  await writeThrough(deps, {
    collectionId: found.collection_id,
    async *rows(collection) {
      const document = await findDocument(db.query, actor, address);
      if (document.revision === null)
        throw new StudioError('conflict', 'The document is not ready; chunks can be added once it is');
      ({ revision } = document);
      rowId = hexId();
      const draft = {
        row_id: rowId,
        id,
        document_id: document.id,
        title,
        headings,
        content,
        start_page: startPage,
        end_page: endPage,
      };
      const prepared = await prepareIndexRow(deps, ctx, collection, document, draft);
      ({ stored: vector } = prepared);
      yield prepared.rows;
    },
    async commit(tx) {
      await touchDocument(tx, found.id, revision, 1);
      const { last } = await tx
        .selectFrom('chunks')
        .select(({ fn }) => fn.max<number | null>('ord').as('last'))
        .where('document_id', '=', found.id)
        .where('revision', '=', revision)
        .executeTakeFirstOrThrow();
      const end = (last ?? -1) + 1;
      const ord = given.order === undefined ? end : Math.min(given.order - 1, end);
      await tx
        .updateTable('chunks')
        .set((eb) => ({ ord: eb('ord', '+', 1) }))
        .where('document_id', '=', found.id)
        .where('revision', '=', revision)
        .where('ord', '>=', ord)
        .execute();
      await tx
        .insertInto('chunks')
        .values({
          row_id: rowId,
          id,
          tenant_id: found.tenant_id,
          collection_id: found.collection_id,
          document_id: found.id,
          revision,
          ord,
          title,
          content,
          headings: JSON.stringify(headings),
          start_page: startPage,
          end_page: endPage,
          tokens,
        })
        .execute();
      await storeVector(tx, vector);
      return [];
    },
  });
  return readChunk(deps, actor, { chunkId: id });
}

/** Removes a chunk; the next search does not find it. Throws StudioError `not_found`, `forbidden`. */
export async function deleteChunk(
  deps: RetrievalDeps,
  actor: Actor,
  address: ChunkAddress,
): Promise<{ chunk_id: string; deleted_at: string; operation: 'delete_chunk' }> {
  let current = await findChunk(deps.db.query, actor, address);
  requireOwner(actor, current);
  await writeThrough(deps, {
    collectionId: current.collection_id,
    // oxlint-disable-next-line require-yield -- nothing comes in its place
    async *rows() {
      current = await findChunk(deps.db.query, actor, address);
    },
    async commit(tx) {
      const { numDeletedRows } = await tx
        .deleteFrom('chunks')
        .where('row_id', '=', current.row_id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw new WriteConflict();
      await tx
        .updateTable('chunks')
        .set((eb) => ({ ord: eb('ord', '-', 1) }))
        .where('document_id', '=', current.document_id)
        .where('revision', '=', current.revision)
        .where('ord', '>', current.ord)
        .execute();
      await touchDocument(tx, current.document_id, current.revision, -1);
      return [current.row_id];
    },
  });
  return { chunk_id: current.id, deleted_at: new Date(deps.now()).toISOString(), operation: 'delete_chunk' };
}
