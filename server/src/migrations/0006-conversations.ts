import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Calls that people make in the console, and the conversations that they keep there. */
export const conversations: Migration = {
  name: '0006_conversations',
  async up(tx) {
    await sql`ALTER TABLE usage_slices ADD COLUMN user_id text`.execute(tx);
    await sql`
      CREATE TABLE conversations (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        title text NOT NULL DEFAULT '',
        own_title boolean NOT NULL DEFAULT false,
        model text NOT NULL,
        system_prompt text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`.execute(tx);
    await sql`CREATE INDEX conversations_of_person ON conversations (tenant_id, user_id, updated_at DESC, id DESC)`.execute(
      tx,
    );
    await sql`CREATE INDEX conversations_by_age ON conversations (tenant_id, updated_at)`.execute(tx);
    await sql`
      CREATE TABLE conversation_messages (
        id text PRIMARY KEY,
        conversation_id text NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        position integer NOT NULL,
        role text NOT NULL CHECK (role IN ('user', 'assistant')),
        content text NOT NULL,
        reasoning text,
        state text NOT NULL CHECK (state IN ('done', 'running', 'stopped', 'failed')),
        error text,
        model text,
        prompt_tokens integer,
        completion_tokens integer,
        first_token_ms double precision,
        duration_ms double precision,
        created_at timestamptz NOT NULL,
        seen_at timestamptz,
        stop_asked boolean NOT NULL DEFAULT false,
        UNIQUE (conversation_id, position)
      )`.execute(tx);
    // Whatever process starts an answer: one at a time in a conversation.
    await sql`CREATE UNIQUE INDEX conversation_answers_running ON conversation_messages (conversation_id) WHERE state = 'running'`.execute(
      tx,
    );
  },
};
