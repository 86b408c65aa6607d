import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Answers of agents bring data and files beside their text. */
export const agentParts: Migration = {
  name: '0034_agent_parts',
  async up(tx) {
    await sql`ALTER TABLE agent_runs ADD COLUMN parts jsonb NOT NULL DEFAULT '[]'`.execute(tx);
  },
};
