import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** How embedding models of this machine are read, as people said by command or in the console, for all tenants. */
export const localEmbedders: Migration = {
  name: '0030_local_embedders',
  async up(tx) {
    await sql`
      CREATE TABLE local_embedders (
        local_id text PRIMARY KEY,
        settings jsonb NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
  },
};
