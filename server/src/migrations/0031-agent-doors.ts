import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Agents have doors of plain A2A: contexts that callers name themselves, and notifications in the form of their door. */
export const agentDoors: Migration = {
  name: '0031_agent_doors',
  async up(tx) {
    await sql`ALTER TABLE agent_sessions ADD COLUMN context_owner text NOT NULL DEFAULT ''`.execute(tx);
    await sql`
      ALTER TABLE agent_sessions ADD CONSTRAINT agent_sessions_context_key UNIQUE (agent_id, context_id, context_owner),
        DROP CONSTRAINT agent_sessions_agent_id_context_id_key`.execute(tx);
    await sql`ALTER TABLE agent_push_configs ADD COLUMN door text NOT NULL DEFAULT 'interface'`.execute(tx);
  },
};
