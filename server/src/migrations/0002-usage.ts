import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** One row for each call of the public API. */
export const usage: Migration = {
  name: '0002_usage',
  async up(tx) {
    await sql`
      CREATE TABLE usage (
        writer text NOT NULL,
        number bigint NOT NULL,
        at timestamptz NOT NULL,
        request_id text NOT NULL,
        tenant_id text NOT NULL,
        key_id text,
        endpoint text NOT NULL,
        model text NOT NULL,
        engine text,
        status smallint NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('ok', 'error', 'canceled')),
        stream boolean NOT NULL,
        prompt_tokens bigint NOT NULL,
        completion_tokens bigint NOT NULL,
        reasoning_tokens bigint,
        first_token_ms real,
        latency_ms real NOT NULL,
        PRIMARY KEY (writer, number)
      )`.execute(tx);
    await sql`CREATE INDEX usage_of_tenant ON usage (tenant_id, at)`.execute(tx);
  },
};
