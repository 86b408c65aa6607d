import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Tenants, API keys, and the processes that hold keys in memory. */
export const identity: Migration = {
  name: '0001_identity',
  async up(tx) {
    await sql`
      CREATE TABLE tenants (
        id text PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`
      CREATE TABLE api_keys (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id),
        name text NOT NULL,
        sha256 bytea NOT NULL UNIQUE,
        key_start text NOT NULL,
        key_last4 text NOT NULL,
        scopes text[] NOT NULL,
        allowed_models text[],
        requests_per_minute integer CHECK (requests_per_minute > 0),
        tokens_per_minute integer CHECK (tokens_per_minute > 0),
        tool_stream text CHECK (tool_stream IN ('openai', 'arguments')),
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        deleted_at timestamptz,
        version bigint NOT NULL
      )`.execute(tx);
    await sql`CREATE INDEX api_keys_of_tenant ON api_keys (tenant_id, created_at DESC) WHERE deleted_at IS NULL`.execute(
      tx,
    );
    await sql`CREATE INDEX api_keys_changes ON api_keys (version)`.execute(tx);
    await sql`
      CREATE TABLE key_clock (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        version bigint NOT NULL
      )`.execute(tx);
    await sql`INSERT INTO key_clock (version) VALUES (0)`.execute(tx);
    await sql`
      CREATE TABLE nodes (
        id text PRIMARY KEY,
        started_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now(),
        key_version bigint NOT NULL
      )`.execute(tx);
  },
};
