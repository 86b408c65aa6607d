import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Sources that collections are kept in step with, their runs, and what was taken of them. */
export const connectors: Migration = {
  name: '0057_connectors',
  async up(tx) {
    await sql`
      CREATE TABLE connectors (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        collection_id text NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        name text NOT NULL,
        settings jsonb NOT NULL,
        secrets text,
        every_minutes integer,
        max_documents integer NOT NULL,
        paused boolean NOT NULL DEFAULT false,
        next_at timestamptz,
        cursor text,
        key_id text,
        user_id text,
        removing boolean NOT NULL DEFAULT false
      )`.execute(tx);
    await sql`CREATE INDEX connectors_of_tenant ON connectors (tenant_id)`.execute(tx);
    await sql`CREATE INDEX connectors_of_collection ON connectors (collection_id, number)`.execute(tx);
    await sql`CREATE INDEX connectors_due ON connectors (next_at) WHERE next_at IS NOT NULL AND NOT paused`.execute(tx);
    await sql`
      CREATE TABLE connector_runs (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        connector_id text NOT NULL REFERENCES connectors (id) ON DELETE CASCADE,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'cancelled', 'failed')),
        dry boolean NOT NULL,
        removes_all boolean NOT NULL,
        seen integer NOT NULL DEFAULT 0,
        added integer NOT NULL DEFAULT 0,
        changed integer NOT NULL DEFAULT 0,
        removed integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        held_back integer NOT NULL DEFAULT 0,
        failure jsonb,
        changes jsonb NOT NULL DEFAULT '[]',
        problems jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        seen_at timestamptz NOT NULL DEFAULT now(),
        claim text,
        attempts integer NOT NULL DEFAULT 0
      )`.execute(tx);
    await sql`CREATE INDEX connector_runs_of_connector ON connector_runs (connector_id, number)`.execute(tx);
    // A source is never listed twice at the same time: one listing would take away what the other just added.
    await sql`CREATE UNIQUE INDEX connector_runs_open ON connector_runs (connector_id) WHERE state = 'running'`.execute(
      tx,
    );
    await sql`
      CREATE TABLE connector_items (
        connector_id text NOT NULL REFERENCES connectors (id) ON DELETE CASCADE,
        source_id text NOT NULL,
        name text NOT NULL,
        version text NOT NULL,
        PRIMARY KEY (connector_id, source_id)
      )`.execute(tx);
  },
};
