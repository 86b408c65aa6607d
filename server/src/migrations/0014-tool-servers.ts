import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Servers of tools that agents may call. */
export const toolServers: Migration = {
  name: '0014_tool_servers',
  async up(tx) {
    await sql`
      CREATE TABLE tool_servers (
        id text PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        name text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('mcp', 'http')),
        url text NOT NULL,
        sealed_headers text,
        header_names text[] NOT NULL,
        tools jsonb NOT NULL,
        left_out text[] NOT NULL,
        failure jsonb,
        version bigint NOT NULL DEFAULT 1,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (tenant_id, name)
      )`.execute(tx);
  },
};
