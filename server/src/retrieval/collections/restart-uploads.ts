import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import type { CollectionRow } from './rows.ts';

/** Settings that do not affect how a document is chunked. */
const settingsWithoutEffect = [
  'indexed_fields',
  'external_id_field',
  'embedding_model',
  'embedding_dimension',
  'embedding_prefixes',
];

/** How long abandoned work may still be running. */
const ABANDONED_WORK_SECONDS = 60;

/**
 * Restarts the ingest of documents that are being ingested with other settings than the present ones: they have no chunks yet that a
 * reindex of the collection could rebuild. The row must be locked.
 */
export async function restartUploads(tx: Transaction<Tables>, { id, ingest_config: config }: CollectionRow) {
  const present = JSON.stringify(config);
  const { rows } = await sql`
    WITH begun AS (
      UPDATE documents SET state = 'queued', progress = 0, error_code = NULL, error_message = NULL,
        last_revision = last_revision + 1, ingest_config = ${present}::jsonb, updated_at = clock_timestamp()
      WHERE id IN (
        SELECT document_id FROM ingest_jobs
        WHERE collection_id = ${id} AND kind = 'document'
          AND ingest_config - ${settingsWithoutEffect}::text[] IS DISTINCT FROM ${present}::jsonb - ${settingsWithoutEffect}::text[]
        FOR UPDATE)
      RETURNING id, last_revision
    )
    UPDATE ingest_jobs SET stage = 'parsing', revision = begun.last_revision, ingest_config = ${present}::jsonb, state = 'queued',
      claim = NULL, attempts = 0, not_before = clock_timestamp(), waiting_since = NULL, build_table = NULL, seen_at = NULL
    FROM begun WHERE ingest_jobs.document_id = begun.id
    RETURNING ingest_jobs.document_id`.execute(tx);
  if (rows.length === 0) return;
  await tx
    .insertInto('retrieval_removals')
    .values({
      kind: 'stale',
      collection_id: id,
      not_before: sql<Date>`clock_timestamp() + ${ABANDONED_WORK_SECONDS} * interval '1 second'`,
    })
    .execute();
}
