import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Responses that are made in the background, with the events of those that stream; conversations of the Responses interface. */
export const responsesBackground: Migration = {
  name: '0026_responses_background',
  async up(tx) {
    await sql`
      CREATE TABLE response_jobs (
        id text PRIMARY KEY REFERENCES responses (id) ON DELETE CASCADE,
        number bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id text NOT NULL,
        key_id text NOT NULL,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'ended')),
        work text,
        progress text,
        last_seq integer NOT NULL DEFAULT -1,
        streams boolean NOT NULL,
        cancel_requested boolean NOT NULL DEFAULT false,
        attempts integer NOT NULL DEFAULT 0,
        claim text,
        seen_at timestamptz,
        due_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 60)`.execute(tx);
    await sql`CREATE INDEX response_jobs_open ON response_jobs (number) WHERE state <> 'ended'`.execute(tx);
    await sql`CREATE INDEX response_jobs_of_key ON response_jobs (key_id) WHERE state <> 'ended'`.execute(tx);
    await sql`
      CREATE TABLE response_events (
        response_id text NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
        first_seq integer NOT NULL,
        last_seq integer NOT NULL,
        sealed text NOT NULL,
        PRIMARY KEY (response_id, last_seq)
      )`.execute(tx);
    await sql`
      CREATE TABLE response_conversations (
        id text PRIMARY KEY,
        tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        sealed text NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`.execute(tx);
    await sql`CREATE INDEX response_conversations_by_end ON response_conversations (expires_at)`.execute(tx);
    await sql`CREATE INDEX response_conversations_of_tenant ON response_conversations (tenant_id)`.execute(tx);
    await sql`
      CREATE TABLE response_conversation_items (
        conversation_id text NOT NULL REFERENCES response_conversations (id) ON DELETE CASCADE,
        item_id text NOT NULL,
        number bigint GENERATED ALWAYS AS IDENTITY,
        sealed text NOT NULL,
        PRIMARY KEY (conversation_id, item_id)
      )`.execute(tx);
    await sql`
      CREATE INDEX response_conversation_items_in_order ON response_conversation_items (conversation_id, number)`.execute(
      tx,
    );
  },
};
