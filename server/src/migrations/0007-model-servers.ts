import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Model servers that were connected in the console, for all tenants. */
export const modelServers: Migration = {
  name: '0007_model_servers',
  async up(tx) {
    await sql`
      CREATE TABLE model_servers (
        id text PRIMARY KEY,
        name text NOT NULL UNIQUE,
        base_url text NOT NULL,
        sealed_api_key text,
        dialect text,
        models jsonb NOT NULL,
        version bigint NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
  },
};
