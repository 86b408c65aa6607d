import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Documents that are read in the background, and what was read. */
export const documentParses: Migration = {
  name: '0008_document_parses',
  async up(tx) {
    // A tenant with documents cannot be removed by itself: their files, which are no rows, must go first.
    await sql`
      CREATE TABLE document_parses (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id),
        key_id text NOT NULL,
        name text,
        size bigint NOT NULL,
        fields jsonb NOT NULL,
        state text NOT NULL CHECK (state IN ('arriving', 'queued', 'running', 'done', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        claim text,
        seen_at timestamptz,
        pages_done integer NOT NULL DEFAULT 0,
        pages_total integer,
        error_code text,
        error_message text,
        result bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        finished_at timestamptz,
        expires_at timestamptz
      )`.execute(tx);
    // The result is packed already.
    await sql`ALTER TABLE document_parses ALTER COLUMN result SET STORAGE EXTERNAL`.execute(tx);
    await sql`CREATE INDEX document_parses_open ON document_parses (state, created_at) WHERE state IN ('queued', 'running')`.execute(
      tx,
    );
    await sql`CREATE INDEX document_parses_of_tenant ON document_parses (tenant_id, started_at)`.execute(tx);
    await sql`CREATE INDEX document_parses_by_expiry ON document_parses (expires_at) WHERE expires_at IS NOT NULL`.execute(
      tx,
    );
  },
};
