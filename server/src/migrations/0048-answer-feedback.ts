import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** What people think of answers, how long a model reasoned, and what could be asked next. */
export const answerFeedback: Migration = {
  name: '0048_answer_feedback',
  async up(tx) {
    await sql`
      CREATE TABLE run_feedback (
        run_id text PRIMARY KEY REFERENCES agent_runs (id) ON DELETE CASCADE,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
        session_id bigint NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
        user_id text NOT NULL,
        rating text NOT NULL CHECK (rating IN ('up', 'down')),
        reasons jsonb NOT NULL DEFAULT '[]',
        comment text NOT NULL DEFAULT '',
        collection_id text,
        question_id text,
        updated_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
    await sql`CREATE INDEX run_feedback_of_agent ON run_feedback (agent_id, rating)`.execute(tx);
    await sql`CREATE INDEX run_feedback_of_session ON run_feedback (session_id)`.execute(tx);
    await sql`
      ALTER TABLE conversation_messages
        ADD COLUMN feedback jsonb,
        ADD COLUMN reasoning_ms double precision,
        ADD COLUMN follow_ups jsonb`.execute(tx);
  },
};
