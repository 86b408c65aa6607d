import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Where callers of agents want to be told of their tasks, and an index by which cards are found. */
export const agentPush: Migration = {
  name: '0015_agent_push',
  async up(tx) {
    await sql`
      CREATE TABLE agent_push_configs (
        run_id text NOT NULL REFERENCES agent_runs (id) ON DELETE CASCADE,
        id text NOT NULL,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        form text NOT NULL CHECK (form IN ('0.3', '1.0')),
        url text NOT NULL,
        secrets text NOT NULL,
        told_seq integer NOT NULL DEFAULT 0,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        failure text,
        done boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (run_id, id)
      )`.execute(tx);
    await sql`CREATE INDEX agent_push_configs_due ON agent_push_configs (due_at) WHERE NOT done`.execute(tx);
    await sql`CREATE INDEX agents_by_slug ON agents (slug)`.execute(tx);
  },
};
