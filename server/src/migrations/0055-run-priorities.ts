import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** How soon models serve the calls of a run: nobody waits for those that a batch began. */
export const runPriorities: Migration = {
  name: '0055_run_priorities',
  async up(tx) {
    await sql`ALTER TABLE agent_runs ADD COLUMN priority text NOT NULL DEFAULT 'interactive'`.execute(tx);
  },
};
