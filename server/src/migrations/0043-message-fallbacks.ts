import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Where another model gave an answer than the one that was asked: which was asked, and why it did not answer. Null otherwise. */
export const messageFallbacks: Migration = {
  name: '0043_message_fallbacks',
  async up(tx) {
    await sql`ALTER TABLE conversation_messages ADD COLUMN fallback jsonb`.execute(tx);
  },
};
