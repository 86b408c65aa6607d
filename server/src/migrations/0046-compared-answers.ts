import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Several models answer one question at a time; their answers stand side by side until one is chosen. */
export const comparedAnswers: Migration = {
  name: '0046_compared_answers',
  async up(tx) {
    await sql`ALTER TABLE conversation_messages ADD COLUMN compared boolean NOT NULL DEFAULT false`.execute(tx);
    // That one turn is under way at a time is held by the lock on the conversation in which a turn begins.
    await sql`DROP INDEX conversation_answers_running`.execute(tx);
    await sql`CREATE INDEX conversation_answers_running ON conversation_messages (conversation_id) WHERE state = 'running'`.execute(
      tx,
    );
  },
};
