import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** A key's own way with personal values in chat, and how many were found on which day. */
export const privacyGuard: Migration = {
  name: '0017_privacy_guard',
  async up(tx) {
    await sql`
      ALTER TABLE api_keys
      ADD COLUMN privacy_mode text CHECK (privacy_mode IN ('off', 'report', 'mask', 'refuse'))`.execute(tx);
    await sql`
      CREATE TABLE privacy_counts (
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        day date NOT NULL,
        source text NOT NULL,
        type text NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (tenant_id, day, source, type)
      )`.execute(tx);
  },
};
