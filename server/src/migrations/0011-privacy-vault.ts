import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Values that tokens stand for in masked texts, sealed, until their session ends. */
export const privacyVault: Migration = {
  name: '0011_privacy_vault',
  async up(tx) {
    await sql`
      CREATE TABLE privacy_sessions (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`.execute(tx);
    await sql`CREATE INDEX privacy_sessions_by_expiry ON privacy_sessions (expires_at)`.execute(tx);
    await sql`CREATE INDEX privacy_sessions_of_tenant ON privacy_sessions (tenant_id)`.execute(tx);
    await sql`
      CREATE TABLE privacy_values (
        session_id text NOT NULL REFERENCES privacy_sessions (id) ON DELETE CASCADE,
        token text NOT NULL,
        sealed text NOT NULL,
        PRIMARY KEY (session_id, token)
      )`.execute(tx);
  },
};
