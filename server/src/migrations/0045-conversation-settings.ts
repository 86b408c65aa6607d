import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Conversations keep how their answers are made and which models answer side by side, and lie in folders of their person. */
export const conversationSettings: Migration = {
  name: '0045_conversation_settings',
  async up(tx) {
    await sql`
      CREATE TABLE conversation_folders (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`.execute(tx);
    await sql`CREATE INDEX conversation_folders_of_person ON conversation_folders (tenant_id, user_id)`.execute(tx);
    await sql`
      ALTER TABLE conversations
        ADD COLUMN parameters jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN models_beside jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN folder_id text REFERENCES conversation_folders (id) ON DELETE SET NULL`.execute(tx);
    await sql`CREATE INDEX conversations_of_folder ON conversations (folder_id) WHERE folder_id IS NOT NULL`.execute(
      tx,
    );
  },
};
