import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/**
 * One row for all calls of a moment that differ in nothing but their counts: thousands of calls a second are a few rows.
 * Single calls are in the log.
 */
export const usageSlices: Migration = {
  name: '0003_usage_slices',
  async up(tx) {
    await sql`
      CREATE TABLE usage_slices (
        writer text NOT NULL,
        number bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        tenant_id text NOT NULL,
        key_id text,
        endpoint text NOT NULL,
        model text NOT NULL,
        engine text,
        status smallint NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('ok', 'error', 'canceled')),
        stream boolean NOT NULL,
        calls bigint NOT NULL CHECK (calls > 0),
        prompt_tokens bigint NOT NULL,
        completion_tokens bigint NOT NULL,
        reasoning_tokens bigint NOT NULL,
        first_token_ms double precision NOT NULL,
        latency_ms double precision NOT NULL,
        first_token_counts integer[] NOT NULL,
        latency_counts integer[] NOT NULL,
        PRIMARY KEY (writer, number)
      )`.execute(tx);
    await sql`
      INSERT INTO usage_slices
      SELECT writer, number, at, at, tenant_id, key_id, endpoint, model, engine, status, outcome, stream, 1,
        prompt_tokens, completion_tokens, coalesce(reasoning_tokens, 0), coalesce(first_token_ms, 0), latency_ms,
        CASE WHEN first_token_ms IS NULL THEN '{}' ELSE array_fill(0, ARRAY[ceil(log(2, greatest(1, first_token_ms)::numeric))::int]) || 1 END,
        array_fill(0, ARRAY[ceil(log(2, greatest(1, latency_ms)::numeric))::int]) || 1
      FROM usage`.execute(tx);
    await sql`DROP TABLE usage`.execute(tx);
    await sql`CREATE INDEX usage_slices_of_tenant ON usage_slices (tenant_id, first_at)`.execute(tx);
  },
};
