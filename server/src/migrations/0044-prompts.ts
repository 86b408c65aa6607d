import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Prompts that people keep for themselves or share in their tenant, with the versions of their texts. */
export const prompts: Migration = {
  name: '0044_prompts',
  async up(tx) {
    // What is shared outlives who made it.
    await sql`
      CREATE TABLE prompts (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        owner_user_id text REFERENCES users (id) ON DELETE SET NULL,
        name text NOT NULL,
        description text NOT NULL,
        visibility text NOT NULL CHECK (visibility IN ('private', 'tenant')),
        content text NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`.execute(tx);
    await sql`CREATE INDEX prompts_of_tenant ON prompts (tenant_id, updated_at DESC, id DESC)`.execute(tx);
    await sql`
      CREATE TABLE prompt_versions (
        prompt_id text NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
        version integer NOT NULL,
        content text NOT NULL,
        user_id text REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (prompt_id, version)
      )`.execute(tx);
  },
};
