import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Which local model serves an id of the catalogue, for all tenants. */
export const modelBindings: Migration = {
  name: '0004_model_bindings',
  async up(tx) {
    await sql`
      CREATE TABLE model_bindings (
        catalogue_id text PRIMARY KEY,
        local_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
  },
};
