import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import { embeddingOf, withEmbeddingOf } from '../collections/rows.ts';
import { removeDocuments } from '../documents/rows.ts';
import { vectorModel } from '../embedding.ts';
import { packVector } from '../stored-vector.ts';
import { processRemovals } from '../writing/removals.ts';
import { lockForVisibleChange } from '../writing/table.ts';
import type { Job } from './jobs.ts';
import type { ReadyText } from './ready-text.ts';
import { INSERT_BATCH, type StageDeps } from './stages.ts';

const rowIdsOf = (texts: readonly ReadyText[]) => texts.flatMap(({ rows }) => rows.map(({ row_id: rowId }) => rowId));

/** Those whose job is still of this process and whose document nobody changed meanwhile; both are locked. */
async function lockThose(tx: Transaction<Tables>, texts: readonly ReadyText[]): Promise<ReadyText[]> {
  const claims = JSON.stringify(texts.map(({ job }) => ({ id: job.document_id, claim: job.claim })));
  // Jobs come before documents in the order of locks: jobs/README.md.
  const { rows: jobs } = await sql<{ readonly document_id: string }>`
    SELECT document_id FROM ingest_jobs JOIN jsonb_to_recordset(${claims}::jsonb) AS mine (id text, claim text)
      ON mine.id = document_id AND mine.claim = ingest_jobs.claim
    WHERE state = 'running' ORDER BY document_id FOR UPDATE OF ingest_jobs`.execute(tx);
  const ours = new Set(jobs.map(({ document_id: id }) => id));
  if (ours.size === 0) return [];
  const rows = await tx
    .selectFrom('documents')
    .select(['id', 'edits'])
    .where('id', 'in', [...ours])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const edits = new Map(rows.map((row) => [row.id, row.edits]));
  return texts.filter(({ document }) => edits.get(document.id) === document.edits);
}

/** Removes older documents with the external ids of these. */
async function removeReplaced(tx: Transaction<Tables>, collectionId: string, ids: readonly string[], table: string) {
  const { rows: older } = await sql<{ readonly id: string; readonly tenant_id: never }>`
    SELECT DISTINCT older.id, older.tenant_id FROM documents AS newer JOIN documents AS older
      ON older.collection_id = ${collectionId} AND older.external_id = newer.external_id AND older.number < newer.number
    WHERE newer.id = ANY(${ids}::text[])`.execute(tx);
  if (older.length === 0) return;
  const { build } = await tx
    .selectFrom('collections')
    .select('build')
    .where('id', '=', collectionId)
    .executeTakeFirstOrThrow();
  await removeDocuments(tx, older, build === null ? [table] : [table, build.table]);
}

/** The rows of the index were removed before they became visible. */
export class RowsRemoved extends Error {}

export interface GroupToPublish {
  readonly collectionId: string;
  readonly table: string;
  readonly texts: readonly ReadyText[];
  /** What was written down to be removed should they not become visible, and when. */
  readonly removal: { readonly id: number; readonly due: string };
}

/**
 * Makes short texts visible, in the place of older documents with the same external ids, all at once. Resolves with the jobs of those that somebody
 * changed meanwhile. Throws TableMoved, and RowsRemoved where it came too late.
 */
export async function publishGroup(
  deps: StageDeps,
  { collectionId, table, texts, removal }: GroupToPublish,
): Promise<readonly Job[]> {
  const left = await deps.db.transaction(async (tx) => {
    // Whoever took it up moved its time: its rows are gone, or will be.
    const kept = await tx
      .deleteFrom('retrieval_removals')
      .where('id', '=', removal.id)
      .where('not_before', '=', sql<Date>`${removal.due}::timestamptz`)
      .returning('id')
      .executeTakeFirst();
    if (kept === undefined) {
      // Also those that were written after it was done.
      await tx
        .insertInto('retrieval_removals')
        .values({ kind: 'rows', index_table: table, row_ids: rowIdsOf(texts) })
        .execute();
      return null;
    }
    await lockForVisibleChange(tx, collectionId, table);
    const ready = await lockThose(tx, texts);
    const collection = await tx
      .selectFrom('collections')
      .select(['ingest_config', 'embedding_dimension'])
      .where('id', '=', collectionId)
      .executeTakeFirstOrThrow();
    const embedding = embeddingOf(collection);
    const chunks = ready.flatMap(({ rows }) => rows);
    for (let at = 0; at < chunks.length; at += INSERT_BATCH)
      await tx
        .insertInto('chunks')
        .values(chunks.slice(at, at + INSERT_BATCH))
        .execute();
    const vectors = ready.flatMap(({ rows, vectors: made }) =>
      (made ?? []).map((vector, at) => ({
        row_id: rows[at]?.row_id ?? '',
        model: vectorModel(embedding),
        vector: packVector(vector, deps.storedVectors),
      })),
    );
    for (let at = 0; at < vectors.length; at += INSERT_BATCH)
      await tx
        .insertInto('chunk_vectors')
        .values(vectors.slice(at, at + INSERT_BATCH))
        .execute();
    const ids = ready.map(({ document }) => document.id);
    const [first] = ready;
    if (first !== undefined) {
      const config = JSON.stringify(withEmbeddingOf(first.job.ingest_config, collection.ingest_config));
      const changes = JSON.stringify(
        ready.map(({ job, result }) => ({
          id: job.document_id,
          revision: job.revision,
          chunks: result.chunks.length,
          format: result.format,
          pages: result.pages,
          warnings: result.warnings,
        })),
      );
      await sql`
        UPDATE documents SET state = 'ready', progress = 1, revision = done.revision, chunk_count = done.chunks,
          format = done.format, page_count = done.pages, warnings = done.warnings, edits = edits + 1, chunks_edited = false,
          ingest_config = ${config}::jsonb, error_code = NULL, error_message = NULL, updated_at = clock_timestamp()
        FROM jsonb_to_recordset(${changes}::jsonb)
          AS done (id text, revision integer, chunks integer, format text, pages integer, warnings jsonb)
        WHERE documents.id = done.id`.execute(tx);
      await removeReplaced(tx, collectionId, ids, table);
      await tx.deleteFrom('ingest_jobs').where('document_id', 'in', ids).execute();
    }
    const published = new Set(ids);
    const others = texts.filter(({ document }) => !published.has(document.id));
    const orphans = rowIdsOf(others);
    if (orphans.length > 0)
      await tx
        .insertInto('retrieval_removals')
        .values({ kind: 'rows', index_table: table, row_ids: orphans })
        .execute();
    return others.map(({ job }) => job);
  });
  await processRemovals(deps);
  if (left === null) throw new RowsRemoved('the rows of short documents were removed before they became visible');
  return left;
}
