import { sql, type Transaction } from 'kysely';
import { LeaseLost } from '../../jobs/worker.ts';
import type { Tables } from '../../ports/database.ts';
import type { DocumentBuilt } from '../tables.ts';
import { withEmbeddingOf } from '../collections/rows.ts';
import { type DocumentRow, removeDocuments } from '../documents/rows.ts';
import { processRemovals } from '../writing/removals.ts';
import { lockForVisibleChange, databaseNow } from '../writing/table.ts';
import { advanceStage, ingestJobs, type Job } from './jobs.ts';
import type { StageDeps } from './stages.ts';

/** Locks the document. Throws LeaseLost. */
async function lock(tx: Transaction<Tables>, job: Job): Promise<DocumentRow> {
  if (!(await ingestJobs.lock(tx, job))) throw new LeaseLost();
  return tx
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', job.document_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

const countChunks = async (tx: Transaction<Tables>, { document_id: id, revision }: Job) =>
  Number(
    (
      await tx
        .selectFrom('chunks')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('document_id', '=', id)
        .where('revision', '=', revision)
        .executeTakeFirstOrThrow()
    ).count,
  );

/** Removes the revision that was visible, with its entries in the index. */
async function removeRevision(tx: Transaction<Tables>, { id, revision }: DocumentRow, table: string): Promise<void> {
  if (revision === null) return;
  const rows = await tx
    .deleteFrom('chunks')
    .where('document_id', '=', id)
    .where('revision', '=', revision)
    .returning('row_id')
    .execute();
  if (rows.length > 0)
    await tx
      .insertInto('retrieval_removals')
      .values({ kind: 'rows', index_table: table, row_ids: rows.map(({ row_id: rowId }) => rowId) })
      .execute();
}

/** Removes older documents with the same external id. */
async function removeReplaced(tx: Transaction<Tables>, document: DocumentRow, table: string): Promise<void> {
  if (document.external_id === null) return;
  const older = await tx
    .selectFrom('documents')
    .select(['id', 'tenant_id'])
    .where('collection_id', '=', document.collection_id)
    .where('external_id', '=', document.external_id)
    .where('number', '<', document.number)
    .execute();
  const { build } = await tx
    .selectFrom('collections')
    .select('build')
    .where('id', '=', document.collection_id)
    .executeTakeFirstOrThrow();
  await removeDocuments(tx, older, build === null ? [table] : [table, build.table]);
}

/**
 * Makes the new revision visible in the place of the old one, and of older documents with the same external id, all at once.
 * Resolves with false where the document was changed meanwhile and must be indexed anew. Throws LeaseLost, TableMoved.
 */
export async function publishRevision(deps: StageDeps, job: Job, table: string): Promise<boolean> {
  const published = await deps.db.transaction(async (tx) => {
    await lockForVisibleChange(tx, job.collection_id, table);
    const document = await lock(tx, job);
    if (document.edits !== job.base_edits) {
      await advanceStage(tx, job, 'indexing', document.edits);
      return false;
    }
    await removeRevision(tx, document, table);
    // The model may have changed while it was cut.
    const { ingest_config: present } = await tx
      .selectFrom('collections')
      .select('ingest_config')
      .where('id', '=', job.collection_id)
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('documents')
      .set({
        state: 'ready',
        progress: 1,
        revision: job.revision,
        chunk_count: await countChunks(tx, job),
        edits: document.edits + 1,
        chunks_edited: false,
        ingest_config: JSON.stringify(withEmbeddingOf(job.ingest_config, present)),
        error_code: null,
        error_message: null,
        updated_at: databaseNow,
      })
      .where('id', '=', document.id)
      .execute();
    await removeReplaced(tx, document, table);
    await tx.deleteFrom('ingest_jobs').where('document_id', '=', document.id).execute();
    return true;
  });
  if (published) await processRemovals(deps);
  return published;
}

/** Records that the document is ready in the new table of a rebuild; it is not searchable there yet. Throws LeaseLost. */
export async function recordBuilt(deps: StageDeps, job: Job, table: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const document = await lock(tx, job);
    const built: DocumentBuilt = {
      table,
      revision: job.revision,
      edits: job.base_edits,
      chunks: await countChunks(tx, job),
    };
    await tx
      .updateTable('documents')
      .set({ built: JSON.stringify(built) })
      .where('id', '=', document.id)
      .execute();
    await tx.deleteFrom('ingest_jobs').where('document_id', '=', document.id).execute();
    // What an earlier turn of the same change made of it.
    if (document.built !== null)
      await tx
        .insertInto('retrieval_removals')
        .values({
          kind: 'stale',
          collection_id: document.collection_id,
          not_before: sql<Date>`clock_timestamp() + interval '60 seconds'`,
        })
        .execute();
  });
}
