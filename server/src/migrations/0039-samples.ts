import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Samples that people try things with, one for each person in a tenant. */
export const samples: Migration = {
  name: '0039_samples',
  async up(tx) {
    await sql`
      CREATE TABLE samples (
        tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
        collection_id text NOT NULL,
        agent_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, user_id)
      )`.execute(tx);
  },
};
