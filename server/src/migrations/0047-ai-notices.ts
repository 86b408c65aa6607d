import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Which wording of the notice of AI people have read, and when. */
export const aiNotices: Migration = {
  name: '0047_ai_notices',
  async up(tx) {
    await sql`
      CREATE TABLE ai_notices (
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        version text NOT NULL,
        read_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, user_id)
      )`.execute(tx);
  },
};
