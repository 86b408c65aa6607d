import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Documents of sources with access lists have readers of their own; people are known to sources by addresses that others vouched for. */
export const readers: Migration = {
  name: '0065_readers',
  async up(tx) {
    await sql`ALTER TABLE collections ADD COLUMN has_restricted boolean NOT NULL DEFAULT false`.execute(tx);
    await sql`ALTER TABLE documents ADD COLUMN readers text[]`.execute(tx);
    await sql`
      CREATE TABLE reader_groups (
        name text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        collection_id text NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        title text NOT NULL,
        members text[]
      )`.execute(tx);
    await sql`CREATE INDEX reader_groups_members ON reader_groups USING gin (members)`.execute(tx);
    await sql`CREATE INDEX reader_groups_of_collection ON reader_groups (collection_id)`.execute(tx);
    await sql`CREATE INDEX reader_groups_of_tenant ON reader_groups (tenant_id)`.execute(tx);
    await sql`
      ALTER TABLE connectors ADD COLUMN access text NOT NULL DEFAULT 'collection' CHECK (access IN ('collection', 'source'))`.execute(
      tx,
    );
    await sql`ALTER TABLE connectors ADD COLUMN groups jsonb NOT NULL DEFAULT '[]'`.execute(tx);
    await sql`ALTER TABLE connector_items ADD COLUMN readers text`.execute(tx);
    await sql`
      ALTER TABLE connector_runs
        ADD COLUMN readers_changed integer NOT NULL DEFAULT 0,
        ADD COLUMN readers_unknown integer NOT NULL DEFAULT 0`.execute(tx);
    await sql`ALTER TABLE memberships ADD COLUMN proven_email text`.execute(tx);
    // Addresses come from administrators, the single sign-on and the command line, unless people changed them themselves.
    await sql`
      UPDATE memberships SET proven_email = users.email FROM users
      WHERE users.id = memberships.user_id AND NOT EXISTS (
        SELECT 1 FROM audit_events WHERE action = 'email_changed' AND target_id = users.id
          AND actor_user_id = users.id)`.execute(tx);
  },
};
