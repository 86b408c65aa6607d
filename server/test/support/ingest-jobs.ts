import type { Query } from '../../src/jobs/job-table.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { ANALYZER_VERSION } from '../../src/retrieval/analyzer/index.ts';

// Documents that wait to be taken in, as rows: nothing of them is in the stores.

const config = JSON.stringify({
  chunking_strategy: 'by_title',
  chunk_size: 768,
  chunk_overlap: 76,
  embedding_model: 'lexical',
  embedding_dimension: null,
  pii_mask: false,
  parser_model: 'studio-parser',
  indexed_fields: [],
  external_id_field: null,
});

/** Adds a collection of a tenant that is there. Resolves with its id. */
export async function insertCollection(query: Query, tenantId: TenantId, ownerUserId: string | null = null) {
  const id = hexId();
  await query
    .insertInto('collections')
    .values({
      id,
      tenant_id: tenantId,
      name: 'x',
      description: null,
      visibility: 'private',
      owner_user_id: ownerUserId,
      owner_key_id: null,
      search_config: '{}',
      ingest_config: config,
      fields: [],
      embedding_dimension: 1024,
      index_table: `c-${id}`,
      analyzer_version: ANALYZER_VERSION,
    })
    .execute();
  return id;
}

interface NewIngestJob {
  readonly tenantId: TenantId;
  readonly collectionId: string;
  readonly kind?: 'document' | 'build';
}

/** Adds a document with its job. Resolves with the document's id. */
export async function insertIngestJob(query: Query, { tenantId, collectionId, kind = 'document' }: NewIngestJob) {
  const id = hexId();
  const common = { tenant_id: tenantId, collection_id: collectionId, ingest_config: config };
  await query
    .insertInto('documents')
    .values({
      ...common,
      id,
      name: 'a',
      external_id: null,
      size: 1,
      metadata: '{}',
      indexed_fields: [],
      key_id: null,
      user_id: null,
      state: 'queued',
    })
    .execute();
  await query
    .insertInto('ingest_jobs')
    .values({ ...common, document_id: id, kind, stage: kind === 'build' ? 'copying' : 'parsing', revision: 1 })
    .execute();
  return id;
}
