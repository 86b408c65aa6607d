import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Keys to whose holders agents are models; by default they are not. */
export const agentModels: Migration = {
  name: '0033_agent_models',
  async up(tx) {
    await sql`ALTER TABLE api_keys ADD COLUMN agent_models boolean NOT NULL DEFAULT false`.execute(tx);
  },
};
