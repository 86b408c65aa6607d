import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Collections, their documents, and the passages that searches find. The index of a collection is made of these rows. */
export const retrieval: Migration = {
  name: '0009_retrieval',
  async up(tx) {
    await sql`
      CREATE TABLE collections (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id),
        name text NOT NULL,
        description text,
        visibility text NOT NULL CHECK (visibility IN ('private', 'tenant')),
        owner_user_id text,
        owner_key_id text,
        search_config jsonb NOT NULL,
        ingest_config jsonb NOT NULL,
        fields text[] NOT NULL DEFAULT '{}',
        embedding_dimension integer,
        index_table text NOT NULL,
        index_state text NOT NULL DEFAULT 'none' CHECK (index_state IN ('none', 'ready', 'rebuilding')),
        index_version bigint NOT NULL DEFAULT 0,
        analyzer_version integer NOT NULL,
        build jsonb,
        claim text,
        seen_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz
      )`.execute(tx);
    await sql`CREATE INDEX collections_of_tenant ON collections (tenant_id, created_at, id) WHERE deleted_at IS NULL`.execute(
      tx,
    );
    await sql`
      CREATE TABLE documents (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id),
        collection_id text NOT NULL REFERENCES collections (id),
        name text NOT NULL,
        external_id text,
        size bigint NOT NULL,
        format text,
        metadata jsonb NOT NULL,
        indexed_fields text[] NOT NULL DEFAULT '{}',
        ingest_config jsonb NOT NULL,
        key_id text,
        user_id text,
        state text NOT NULL CHECK (state IN ('arriving', 'queued', 'parsing', 'chunking', 'embedding', 'indexing', 'ready', 'failed')),
        progress real NOT NULL DEFAULT 0,
        error_code text,
        error_message text,
        failures jsonb NOT NULL DEFAULT '[]',
        page_count integer,
        chunk_count integer NOT NULL DEFAULT 0,
        revision integer,
        last_revision integer NOT NULL DEFAULT 0,
        edits integer NOT NULL DEFAULT 0,
        built jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX documents_of_collection ON documents (collection_id, number)`.execute(tx);
    await sql`CREATE INDEX documents_by_external_id ON documents (collection_id, external_id) WHERE external_id IS NOT NULL`.execute(
      tx,
    );
    await sql`CREATE INDEX documents_arriving ON documents (created_at) WHERE state = 'arriving'`.execute(tx);
    // The id of a passage stays while it is edited or embedded anew; its row id is new each time: the index names that one.
    await sql`
      CREATE TABLE chunks (
        row_id text PRIMARY KEY,
        id text NOT NULL,
        tenant_id text NOT NULL,
        collection_id text NOT NULL,
        document_id text NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        revision integer NOT NULL,
        ord integer NOT NULL,
        title text NOT NULL,
        content text NOT NULL,
        headings jsonb NOT NULL,
        start_page integer,
        end_page integer,
        tokens integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX chunks_by_id ON chunks (id)`.execute(tx);
    await sql`CREATE INDEX chunks_of_document ON chunks (document_id, revision, ord)`.execute(tx);
    await sql`
      CREATE TABLE chunk_vectors (
        row_id text PRIMARY KEY REFERENCES chunks (row_id) ON DELETE CASCADE ON UPDATE CASCADE,
        model text NOT NULL,
        vector bytea NOT NULL
      )`.execute(tx);
    // Vectors do not pack.
    await sql`ALTER TABLE chunk_vectors ALTER COLUMN vector SET STORAGE EXTERNAL`.execute(tx);
    await sql`
      CREATE TABLE ingest_jobs (
        document_id text PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
        tenant_id text NOT NULL,
        collection_id text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('document', 'build')),
        stage text NOT NULL CHECK (stage IN ('parsing', 'chunking', 'copying', 'embedding', 'indexing')),
        revision integer NOT NULL,
        base_edits integer NOT NULL DEFAULT 0,
        build_table text,
        ingest_config jsonb NOT NULL,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running')),
        claim text,
        attempts integer NOT NULL DEFAULT 0,
        not_before timestamptz NOT NULL DEFAULT now(),
        waiting_since timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        seen_at timestamptz
      )`.execute(tx);
    await sql`CREATE INDEX ingest_jobs_open ON ingest_jobs (tenant_id, state, not_before)`.execute(tx);
    await sql`CREATE INDEX ingest_jobs_of_collection ON ingest_jobs (collection_id)`.execute(tx);
    // What is no row and must go, written down with the change that makes it needless.
    await sql`
      CREATE TABLE retrieval_removals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('rows', 'document', 'table', 'blob', 'stale')),
        index_table text,
        row_ids text[],
        document_id text,
        collection_id text,
        blob_key text,
        not_before timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX retrieval_removals_due ON retrieval_removals (not_before)`.execute(tx);
  },
};
