import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Conversations that people show to others of their tenant, each as far as it had come then. */
export const conversationShares: Migration = {
  name: '0049_conversation_shares',
  async up(tx) {
    // A share outlives its conversation: its link says that it was withdrawn.
    await sql`
      CREATE TABLE conversation_shares (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        conversation_id text REFERENCES conversations (id) ON DELETE SET NULL,
        leaf_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        withdrawn_at timestamptz
      )`.execute(tx);
    await sql`CREATE INDEX conversation_shares_of_person ON conversation_shares (tenant_id, user_id, created_at)`.execute(
      tx,
    );
    await sql`CREATE INDEX conversation_shares_of ON conversation_shares (conversation_id)`.execute(tx);
  },
};
