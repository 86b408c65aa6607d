import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Files that tenants keep, and batches of requests that are answered in the background. */
export const filesAndBatches: Migration = {
  name: '0027_files_and_batches',
  async up(tx) {
    await sql`
      CREATE TABLE files (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        key_id text,
        name text NOT NULL,
        purpose text NOT NULL,
        size bigint NOT NULL,
        ready boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz
      )`.execute(tx);
    await sql`CREATE INDEX files_of_tenant ON files (tenant_id, created_at, id)`.execute(tx);
    await sql`CREATE INDEX files_by_end ON files (expires_at) WHERE expires_at IS NOT NULL`.execute(tx);

    await sql`
      CREATE TABLE batches (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        key_id text NOT NULL,
        endpoint text NOT NULL,
        input_file_id text NOT NULL,
        completion_window text NOT NULL,
        metadata jsonb,
        output_seconds integer NOT NULL,
        state text NOT NULL DEFAULT 'validating',
        ending text,
        claim text,
        seen_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        model text,
        errors jsonb,
        total integer NOT NULL DEFAULT 0,
        completed integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        output_file_id text,
        error_file_id text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        started_at timestamptz,
        in_progress_at timestamptz,
        finalizing_at timestamptz,
        cancelling_at timestamptz,
        ended_at timestamptz
      )`.execute(tx);
    await sql`CREATE INDEX batches_of_tenant ON batches (tenant_id, created_at, id)`.execute(tx);
    await sql`
      CREATE INDEX batches_open ON batches (created_at)
        WHERE state IN ('validating', 'in_progress', 'finalizing', 'cancelling')`.execute(tx);

    // What became of each line, until the files with the results are written.
    await sql`
      CREATE TABLE batch_results (
        batch_id text NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
        line integer NOT NULL,
        ok boolean NOT NULL,
        output text NOT NULL,
        PRIMARY KEY (batch_id, line)
      )`.execute(tx);
  },
};
