import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { sql, type Transaction } from 'kysely';
import type { ParseLimits, WorkLimits } from '@ai-studio/documents';
import { type CallContext, unlimitedActor } from '../../kernel/actor.ts';
import { hexId } from '../../kernel/ids.ts';
import { LeaseLost } from '../../jobs/worker.ts';
import type { DatabaseDeps, Tables } from '../../ports/database.ts';
import { tableShape } from '../collections/index-table-name.ts';
import { type CollectionRow, embeddingOf } from '../collections/rows.ts';
import { openModelCall } from '../call.ts';
import { howToRead, isOwnReader } from '../collections/parser-model.ts';
import type { LayoutParser } from '../../parsing/index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { originalKey, packedKey } from '../documents/rows.ts';
import { duplicateReason, duplicateWarning, noteSignature } from '../duplicates/note.ts';
import { type EmbeddingChoice, vectorModel } from '../embedding.ts';
import { unpackVector } from '../stored-vector.ts';
import type { ParseWarning } from '../tables.ts';
import type { CutChunk, CutResult } from '../texts/index.ts';
import { canIndex, indexRows, selectChunksToIndex } from '../writing/rows.ts';
import { ensureTable, findActiveCollection, TableMoved } from '../writing/table.ts';
import { cutToFit, type LearnedLengths } from './fitting-cut.ts';
import { modelAsker } from './asker.ts';
import { advanceStage, ingestJobs, type Job } from './jobs.ts';
import { uploaderOf } from './uploader.ts';
import type { SlowModelDeps } from './slow-model.ts';

/** What the stages of a document work with. */
export interface StageDeps extends RetrievalDeps, SlowModelDeps {
  readonly pool: LayoutParser;
  /** Where files lie while they are read. */
  readonly folder: string;
  readonly limits: ParseLimits;
  /** Of reading one document. */
  readonly timeoutMs: number;
  readonly work: WorkLimits;
  /** What refusals told of the lengths of embedding models. */
  readonly learned: LearnedLengths;
}

/** What a stage gets: the job, its abort signal, and its progress callback. */
export interface StageContext {
  readonly job: Job;
  readonly signal: AbortSignal;
  /** Called with the progress of the document, 0 to 1. */
  readonly onProgress: (progress: number) => void;
}

/** The document cannot be taken in, for a reason of its own. */
export class IngestRejected extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'IngestRejected';
    this.code = code;
  }
}

/** Where each stage ends. */
const PARSED = 0.4;
export const CUT = 0.45;
export const EMBEDDED = 0.85;

/** For whom the models of a stage are asked: for the uploader, past all limits. */
export const ingestContext = async (deps: StageDeps, job: Job, signal: AbortSignal): Promise<CallContext> => ({
  actor: unlimitedActor(await uploaderOf(deps, job)),
  requestId: `ingest-${job.claim}`,
  signal,
});

/** Why pages are read as they are without the model that the collection names. */
const unseen = (reason: string): ParseWarning => ({
  code: 'layout_not_read',
  message: `The service itself read the pages, without the model of the collection: ${reason}.`,
});

const keysOf = ({ document_id: id, tenant_id: tenantId }: Job) => ({ id, tenantId });

/** Reads the file, and keeps what was read. */
export async function parse(deps: StageDeps, { job, signal, onProgress }: StageContext): Promise<void> {
  const { db, blobs, pool, folder, limits, timeoutMs, work } = deps;
  const path = join(folder, `ingest-${job.claim}`);
  const original = await blobs.get(originalKey(keysOf(job)));
  if (original === null) throw new IngestRejected('FILE_LOST', 'The file of the document is not there any more.');
  await pipeline(original, createWriteStream(path, { mode: 0o600 }), { signal });
  const { name } = await db.query
    .selectFrom('documents')
    .select('name')
    .where('id', '=', job.document_id)
    .executeTakeFirstOrThrow();
  const onPage = (done: number, total: number | null) => onProgress(total ? (PARSED * done) / total : 0);
  const { parser_model: reader } = job.ingest_config;
  const asker = isOwnReader(reader) ? null : await modelAsker(deps, job, reader);
  const seen = typeof asker === 'string' ? {} : howToRead(reader);
  const task = { path, name, pages: null, limits, ...seen };
  const byService = await ingestContext(deps, job, signal);
  const actor = asker === null || typeof asker === 'string' ? byService.actor : asker.actor;
  const ctx = { ...byService, actor, priority: 'ingest' } as const;
  const how = { timeoutMs, work, signal, onPage, ctx };
  const { bytes, pages, warnings: found } = await pool.parse(job.tenant_id, task, how);
  const warnings = typeof asker === 'string' && pages !== null ? [unseen(asker), ...found] : found;
  await blobs.put(packedKey(keysOf(job)), Readable.from([bytes]));
  await db.query
    .updateTable('documents')
    .set({ page_count: pages, warnings: JSON.stringify(warnings), progress: PARSED })
    .where('id', '=', job.document_id)
    .execute();
  if (!(await advanceStage(db.query, job, 'chunking'))) throw new LeaseLost();
}

/** Rows of one statement. */
export const INSERT_BATCH = 500;

/** A chunk as it is stored. */
export const rowOf = (job: Job, chunk: CutChunk, ord: number) => ({
  row_id: hexId(),
  id: hexId(),
  tenant_id: job.tenant_id,
  collection_id: job.collection_id,
  document_id: job.document_id,
  revision: job.revision,
  ord,
  title: chunk.title,
  content: chunk.content,
  headings: JSON.stringify(chunk.headings),
  start_page: chunk.startPage,
  end_page: chunk.endPage,
  tokens: chunk.tokens,
});

/**
 * Looks for a document that says the same, where the collection asks for it: one that is there already stays, whatever it says. Throws IngestRejected
 * where it is not to be taken in.
 */
async function noteDuplicate(tx: Transaction<Tables>, job: Job, { signature }: CutResult): Promise<void> {
  const { duplicates = 'keep' } = job.ingest_config;
  if (duplicates === 'keep' || signature === null) return;
  const { document_id: documentId, collection_id: collectionId } = job;
  const found = await noteSignature(tx, { collectionId, documentId }, signature);
  const { revision, warnings } = await tx
    .selectFrom('documents')
    .select(['revision', 'warnings'])
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow();
  if (found !== null && duplicates === 'skip' && revision === null) {
    const { code, message } = duplicateReason(found);
    throw new IngestRejected(code, message);
  }
  const warning = found === null ? null : duplicateWarning(found);
  const others = warnings.filter(({ code }) => code !== 'duplicate');
  await tx
    .updateTable('documents')
    .set({
      duplicate_of: found?.id ?? null,
      warnings: JSON.stringify(warning === null ? others : [warning, ...others]),
    })
    .where('id', '=', documentId)
    .execute();
}

/** Cuts what was read into chunks of the new revision. */
export async function cut(deps: StageDeps, { job, signal }: StageContext): Promise<void> {
  const { db, blobs, learned } = deps;
  const stored = await blobs.get(packedKey(keysOf(job)));
  if (stored === null) {
    // What was read is gone; the file may be there.
    if (!(await advanceStage(db.query, job, 'parsing'))) throw new LeaseLost();
    return;
  }
  const packed = await buffer(stored);
  const { embedding } = await targetOf(deps, job);
  const call = openModelCall(deps, await ingestContext(deps, job, signal), 'ingest', 'ingest');
  const result = await cutToFit(deps, call, { packed, how: job.ingest_config, embedding, signal }, learned);
  const { chunks } = result;
  if (chunks.length === 0) throw new IngestRejected('EMPTY', 'No text was found in the document.');
  await db.transaction(async (tx) => {
    if (!(await ingestJobs.lock(tx, job))) throw new LeaseLost();
    await tx
      .deleteFrom('chunks')
      .where('document_id', '=', job.document_id)
      .where('revision', '=', job.revision)
      .execute();
    for (let at = 0; at < chunks.length; at += INSERT_BATCH)
      await tx
        .insertInto('chunks')
        .values(chunks.slice(at, at + INSERT_BATCH).map((chunk, i) => rowOf(job, chunk, at + i)))
        .execute();
    await noteDuplicate(tx, job, result);
    await tx
      .updateTable('documents')
      .set({ format: result.format, progress: CUT })
      .where('id', '=', job.document_id)
      .execute();
    const { edits } = await tx
      .selectFrom('documents')
      .select('edits')
      .where('id', '=', job.document_id)
      .executeTakeFirstOrThrow();
    await advanceStage(tx, job, 'embedding', edits);
  });
}

/** Takes the chunks over as they are, to be embedded or indexed anew; vectors of the same model and length come with them. */
export async function copy(deps: StageDeps, { job }: StageContext): Promise<void> {
  const { document_id: id, revision } = job;
  await deps.db.transaction(async (tx) => {
    if (!(await ingestJobs.lock(tx, job))) throw new LeaseLost();
    const document = await tx
      .selectFrom('documents')
      .select(['revision', 'edits', 'ingest_config'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const wanted = embeddingOf({ ingest_config: job.ingest_config, embedding_dimension: null });
    const isSameLength = document.ingest_config.embedding_dimension === job.ingest_config.embedding_dimension;
    await tx.deleteFrom('chunks').where('document_id', '=', id).where('revision', '=', revision).execute();
    await sql`
      WITH old AS (
        SELECT *, replace(gen_random_uuid()::text, '-', '') AS fresh FROM chunks
        WHERE document_id = ${id} AND revision = ${document.revision}
      ), copied AS (
        INSERT INTO chunks (row_id, id, tenant_id, collection_id, document_id, revision, ord, title, content, headings,
          start_page, end_page, context, tokens, created_at, updated_at)
        SELECT fresh, id, tenant_id, collection_id, document_id, ${revision}, ord, title, content, headings,
          start_page, end_page, context, tokens, created_at, updated_at FROM old
        RETURNING row_id
      )
      INSERT INTO chunk_vectors (row_id, model, vector)
      SELECT old.fresh, chunk_vectors.model, chunk_vectors.vector
      FROM old JOIN copied ON copied.row_id = old.fresh JOIN chunk_vectors ON chunk_vectors.row_id = old.row_id
      WHERE chunk_vectors.model = ${vectorModel(wanted)} AND ${isSameLength}`.execute(tx);
    await advanceStage(tx, job, 'embedding', document.edits);
  });
}

/** The collection, and what its documents are embedded with: as it is, or as it is being changed to. Throws LeaseLost. */
export async function targetOf(
  { db }: DatabaseDeps,
  job: Job,
): Promise<{ readonly collection: CollectionRow; readonly embedding: EmbeddingChoice; readonly table: string }> {
  const collection = await findActiveCollection(db.query, job.collection_id);
  if (collection === null) throw new LeaseLost();
  const { build } = collection;
  if (job.kind === 'document') return { collection, embedding: embeddingOf(collection), table: collection.index_table };
  if (build === null || build.table !== job.build_table) throw new LeaseLost();
  const embedding = embeddingOf({ ingest_config: build.config, embedding_dimension: build.dimension });
  return { collection, embedding, table: build.table };
}

/** Chunks that go into the index by one call. */
const INDEX_BATCH = 256;

/**
 * Puts the chunks into the index, and resolves with the table; nobody finds them yet. Throws TableMoved where the collection embeds
 * with another model since they were embedded.
 */
export async function indexAll(deps: StageDeps, { job, signal, onProgress }: StageContext): Promise<string> {
  const { db, index } = deps;
  const { collection, embedding, table } = await targetOf(deps, job);
  const document = await db.query
    .selectFrom('documents')
    .select(['name', 'created_at', 'metadata', 'indexed_fields', 'readers'])
    .where('id', '=', job.document_id)
    .executeTakeFirst();
  if (document === undefined) throw new LeaseLost();
  const { indexed_fields: named } = job.ingest_config;
  const described = { ...document, indexed_fields: [...document.indexed_fields, ...named] };
  // Work that is done again must not double what was there.
  const again = job.attempts > 1 || job.waiting_since !== null;
  for (let from = 0; ; from += INDEX_BATCH) {
    signal.throwIfAborted();
    const chunks = await selectChunksToIndex(db.query, embedding)
      .where('document_id', '=', job.document_id)
      .where('revision', '=', job.revision)
      .orderBy('ord')
      .orderBy('chunks.row_id')
      .offset(from)
      .limit(INDEX_BATCH)
      .execute();
    const [first] = chunks;
    if (first === undefined) return table;
    if (!chunks.every(canIndex(embedding))) throw new TableMoved();
    const rows = await indexRows(
      deps,
      described,
      chunks.map(({ vector, ...chunk }) => ({ ...chunk, vector: vector === null ? null : unpackVector(vector) })),
      { signal },
    );
    if (from === 0) {
      const dimension = rows[0]?.vector.length ?? 0;
      if (job.kind === 'build') await index.createTable(table, tableShape(collection.tenant_id, dimension));
      else await ensureTable(deps, collection, dimension);
    }
    await index.add(table, rows, { upsert: again });
    onProgress(EMBEDDED + (1 - EMBEDDED) * 0.9);
    if (chunks.length < INDEX_BATCH) return table;
  }
}
