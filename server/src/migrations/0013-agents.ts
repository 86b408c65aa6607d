import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Agents with their versions and reviews, and their runs with steps and events. */
export const agents: Migration = {
  name: '0013_agents',
  async up(tx) {
    await sql`
      CREATE TABLE agents (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        slug text NOT NULL,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        draft jsonb NOT NULL,
        draft_hash text NOT NULL DEFAULT '',
        revision integer NOT NULL DEFAULT 1,
        saved_by text,
        saved_at timestamptz NOT NULL DEFAULT now(),
        deployed_version_id text,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        archived_at timestamptz,
        UNIQUE (tenant_id, slug)
      )`.execute(tx);
    await sql`
      CREATE TABLE agent_versions (
        id text PRIMARY KEY,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        number integer NOT NULL,
        definition jsonb NOT NULL,
        hash text NOT NULL,
        note text NOT NULL DEFAULT '',
        approved_at timestamptz,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (agent_id, number)
      )`.execute(tx);
    await sql`ALTER TABLE agents ADD FOREIGN KEY (deployed_version_id) REFERENCES agent_versions (id)`.execute(tx);
    await sql`
      CREATE TABLE agent_reviews (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        version_id text NOT NULL REFERENCES agent_versions (id) ON DELETE CASCADE,
        hash text NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'rejected', 'withdrawn')),
        note text NOT NULL DEFAULT '',
        reason text,
        submitted_by text NOT NULL,
        submitted_at timestamptz NOT NULL DEFAULT now(),
        decided_by text,
        decided_at timestamptz
      )`.execute(tx);
    await sql`CREATE UNIQUE INDEX agent_reviews_one_pending ON agent_reviews (agent_id) WHERE state = 'pending'`.execute(
      tx,
    );
    await sql`CREATE INDEX agent_reviews_of_tenant ON agent_reviews (tenant_id, state, number)`.execute(tx);
    await sql`
      CREATE TABLE agent_history (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        action text NOT NULL,
        version_number integer,
        reason text,
        made_by text NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX agent_history_of_agent ON agent_history (agent_id, number)`.execute(tx);
    await sql`
      CREATE TABLE agent_sessions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        context_id text NOT NULL,
        type text NOT NULL CHECK (type IN ('api', 'chat', 'test')),
        title text NOT NULL DEFAULT '',
        key_id text,
        user_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (agent_id, context_id)
      )`.execute(tx);
    await sql`CREATE INDEX agent_sessions_of_agent ON agent_sessions (agent_id, type, id)`.execute(tx);
    await sql`
      CREATE INDEX agent_sessions_of_person ON agent_sessions (user_id, updated_at) WHERE type = 'chat'`.execute(tx);
    await sql`
      CREATE TABLE agent_runs (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        parent_run_id text REFERENCES agent_runs (id) ON DELETE CASCADE,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        session_id bigint NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
        version_id text REFERENCES agent_versions (id),
        definition jsonb NOT NULL,
        key_id text,
        user_id text,
        input jsonb NOT NULL,
        state text NOT NULL DEFAULT 'submitted'
          CHECK (state IN ('submitted', 'working', 'input-required', 'completed', 'failed', 'canceled')),
        answer text NOT NULL DEFAULT '',
        citations jsonb NOT NULL DEFAULT '[]',
        question text,
        failure jsonb,
        prompt_tokens integer NOT NULL DEFAULT 0,
        completion_tokens integer NOT NULL DEFAULT 0,
        last_seq integer NOT NULL DEFAULT 0,
        cancel_requested boolean NOT NULL DEFAULT false,
        attempts integer NOT NULL DEFAULT 0,
        spent_ms bigint NOT NULL DEFAULT 0,
        claim text,
        seen_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz
      )`.execute(tx);
    await sql`CREATE INDEX agent_runs_open ON agent_runs (number) WHERE state IN ('submitted', 'working')`.execute(tx);
    await sql`CREATE INDEX agent_runs_of_session ON agent_runs (session_id, number)`.execute(tx);
    await sql`CREATE INDEX agent_runs_of_agent ON agent_runs (agent_id, created_at)`.execute(tx);
    // What refers to a run is found when the run is deleted.
    await sql`CREATE INDEX agent_runs_of_run ON agent_runs (parent_run_id) WHERE parent_run_id IS NOT NULL`.execute(tx);
    await sql`
      CREATE TABLE agent_messages (
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        message_id text NOT NULL,
        hash text NOT NULL,
        run_id text NOT NULL REFERENCES agent_runs (id) ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (agent_id, message_id)
      )`.execute(tx);
    await sql`CREATE INDEX agent_messages_of_run ON agent_messages (run_id)`.execute(tx);
    await sql`CREATE INDEX agent_messages_expiry ON agent_messages (expires_at)`.execute(tx);
    await sql`
      CREATE TABLE agent_steps (
        run_id text NOT NULL REFERENCES agent_runs (id) ON DELETE CASCADE,
        key text NOT NULL,
        number bigint GENERATED ALWAYS AS IDENTITY,
        node text NOT NULL,
        kind text NOT NULL,
        state text NOT NULL,
        inputs jsonb,
        outputs jsonb,
        kept jsonb,
        failure jsonb,
        prompt_tokens integer NOT NULL DEFAULT 0,
        completion_tokens integer NOT NULL DEFAULT 0,
        attempts integer NOT NULL DEFAULT 1,
        started_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        PRIMARY KEY (run_id, key)
      )`.execute(tx);
    await sql`
      CREATE TABLE agent_events (
        run_id text NOT NULL REFERENCES agent_runs (id) ON DELETE CASCADE,
        seq integer NOT NULL,
        body jsonb NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (run_id, seq)
      )`.execute(tx);
    await sql`
      CREATE TABLE agent_files (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        run_id text REFERENCES agent_runs (id) ON DELETE SET NULL,
        key_id text,
        user_id text,
        name text NOT NULL,
        media_type text NOT NULL,
        size bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX agent_files_of_run ON agent_files (run_id)`.execute(tx);
  },
};
