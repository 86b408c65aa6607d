import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Questions with the documents that should answer them, and what settings of searches made of them. */
export const evaluations: Migration = {
  name: '0012_evaluations',
  async up(tx) {
    await sql`
      CREATE TABLE evaluation_questions (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        collection_id text NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        question text NOT NULL,
        expected jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX evaluation_questions_of_collection ON evaluation_questions (collection_id, number)`.execute(
      tx,
    );
    await sql`
      CREATE TABLE evaluation_runs (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        collection_id text NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed', 'stopped')),
        settings jsonb NOT NULL,
        done integer NOT NULL DEFAULT 0,
        total integer NOT NULL,
        figures jsonb,
        answers jsonb,
        failure text,
        made_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX evaluation_runs_of_collection ON evaluation_runs (collection_id, number)`.execute(tx);
  },
};
