import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/**
 * Rows of runs change with every piece of an answer that is written. With room in their pages a change stays in its page and no index is
 * written; pages that are full already are as they were.
 */
export const agentRunsRoom: Migration = {
  name: '0023_agent_runs_room',
  async up(tx) {
    await sql`ALTER TABLE agent_runs SET (fillfactor = 60)`.execute(tx);
  },
};
