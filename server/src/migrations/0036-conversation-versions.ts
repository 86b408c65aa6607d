import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/**
 * Conversations keep every version of a question and an answer, bring files and search collections; their answers cite. A person's
 * files of conversations lie in a collection of their own, which nothing else shows.
 */
export const conversationVersions: Migration = {
  name: '0036_conversation_versions',
  async up(tx) {
    await sql`
      ALTER TABLE conversation_messages
        ADD COLUMN parent_id text,
        ADD COLUMN files jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN citations jsonb NOT NULL DEFAULT '[]'`.execute(tx);
    // Until now each message followed the one before.
    await sql`
      UPDATE conversation_messages SET parent_id = ordered.before
      FROM (
        SELECT id, lag(id) OVER (PARTITION BY conversation_id ORDER BY position) AS before FROM conversation_messages
      ) AS ordered
      WHERE ordered.id = conversation_messages.id AND ordered.before IS NOT NULL`.execute(tx);
    await sql`
      ALTER TABLE conversations
        ADD COLUMN leaf_id text,
        ADD COLUMN collections jsonb NOT NULL DEFAULT '[]'`.execute(tx);
    await sql`ALTER TABLE collections ADD COLUMN purpose text NOT NULL DEFAULT 'shared' CHECK (purpose IN ('shared', 'chat'))`.execute(
      tx,
    );
    await sql`
      CREATE UNIQUE INDEX collections_of_chats ON collections (tenant_id, owner_user_id)
        WHERE purpose = 'chat' AND deleted_at IS NULL`.execute(tx);
    // A row outlives its person: it alone knows the bytes, which are removed as those of any conversation that is gone.
    await sql`
      CREATE TABLE conversation_files (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        user_id text NOT NULL,
        conversation_id text REFERENCES conversations (id) ON DELETE SET NULL,
        kind text NOT NULL CHECK (kind IN ('document', 'picture')),
        name text NOT NULL,
        size bigint NOT NULL,
        media_type text,
        collection_id text,
        document_id text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`.execute(tx);
    await sql`CREATE INDEX conversation_files_of ON conversation_files (conversation_id)`.execute(tx);
    await sql`CREATE INDEX conversation_files_unused ON conversation_files (created_at) WHERE conversation_id IS NULL`.execute(
      tx,
    );
  },
};
