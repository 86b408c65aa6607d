import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Answers of the Responses interface that are kept. */
export const responses: Migration = {
  name: '0025_responses',
  async up(tx) {
    await sql`
      CREATE TABLE responses (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        previous_id text,
        item_ids text[] NOT NULL,
        sealed text NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`.execute(tx);
    await sql`CREATE INDEX responses_by_item ON responses USING gin (item_ids)`.execute(tx);
    await sql`CREATE INDEX responses_by_end ON responses (expires_at)`.execute(tx);
    await sql`CREATE INDEX responses_of_tenant ON responses (tenant_id, created_at)`.execute(tx);
  },
};
