import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Values that a schema asks for, looked for in the documents of a collection. */
export const extractions: Migration = {
  name: '0056_extractions',
  async up(tx) {
    await sql`
      CREATE TABLE extraction_runs (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        collection_id text NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'cancelled', 'failed')),
        schema text NOT NULL,
        model text,
        instructions text NOT NULL,
        filter text NOT NULL,
        total integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        failure text,
        made_by text NOT NULL,
        key_id text,
        user_id text,
        administers boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        seen_at timestamptz NOT NULL DEFAULT now(),
        claim text,
        attempts integer NOT NULL DEFAULT 0
      )`.execute(tx);
    await sql`CREATE INDEX extraction_runs_of_collection ON extraction_runs (collection_id, number)`.execute(tx);
    await sql`CREATE INDEX extraction_runs_open ON extraction_runs (number) WHERE state = 'running'`.execute(tx);
    // What was found goes with the document that it was found in.
    await sql`
      CREATE TABLE extraction_documents (
        run_id text NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
        ord integer NOT NULL,
        document_id text NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        name text NOT NULL,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
        found text,
        error_code text,
        error_message text,
        PRIMARY KEY (run_id, ord)
      )`.execute(tx);
    await sql`CREATE INDEX extraction_documents_of_document ON extraction_documents (document_id)`.execute(tx);
  },
};
