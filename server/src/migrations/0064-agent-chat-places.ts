import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Talks of people with agents are pinned, and lie in folders, as conversations with models do. */
export const agentChatPlaces: Migration = {
  name: '0064_agent_chat_places',
  async up(tx) {
    await sql`
      ALTER TABLE agent_sessions
        ADD COLUMN pinned boolean NOT NULL DEFAULT false,
        ADD COLUMN folder_id text REFERENCES conversation_folders (id) ON DELETE SET NULL`.execute(tx);
    await sql`CREATE INDEX agent_sessions_of_folder ON agent_sessions (folder_id) WHERE folder_id IS NOT NULL`.execute(
      tx,
    );
  },
};
