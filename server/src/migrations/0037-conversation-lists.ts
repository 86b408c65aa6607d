import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Conversations are pinned to the top of their list, or stand in none and go after a day. */
export const conversationLists: Migration = {
  name: '0037_conversation_lists',
  async up(tx) {
    await sql`
      ALTER TABLE conversations
        ADD COLUMN pinned boolean NOT NULL DEFAULT false,
        ADD COLUMN temporary boolean NOT NULL DEFAULT false`.execute(tx);
  },
};
