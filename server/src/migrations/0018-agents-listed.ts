import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Tasks are listed by the time of their last state; reviews keep what was deployed; descriptions are fetched. */
export const agentsListed: Migration = {
  name: '0018_agents_listed',
  async up(tx) {
    // Of its own: `updated_at` changes with every piece of an answer, and an index on it would make each such write a dear one.
    await sql`ALTER TABLE agent_runs ADD COLUMN state_at timestamptz NOT NULL DEFAULT now()`.execute(tx);
    await sql`UPDATE agent_runs SET state_at = coalesce(ended_at, updated_at)`.execute(tx);
    // What filters and counts ask for stands in it, so that rows, which are large, are read for what is shown alone.
    await sql`
      CREATE INDEX agent_runs_listed ON agent_runs (agent_id, state_at, number) INCLUDE (id, session_id, state)`.execute(
      tx,
    );
    await sql`ALTER TABLE agent_reviews ADD COLUMN compared_version_id text
      REFERENCES agent_versions (id) ON DELETE SET NULL`.execute(tx);
    // What callers got then: the last step before the decision that deployed or undeployed anything.
    await sql`
      UPDATE agent_reviews AS review SET compared_version_id = version.id
      FROM agent_versions AS version
      WHERE review.state <> 'pending' AND version.agent_id = review.agent_id AND version.number = (
        SELECT CASE WHEN step.action = 'deployed' THEN step.version_number END FROM agent_history AS step
        WHERE step.agent_id = review.agent_id AND step.action IN ('deployed', 'undeployed') AND step.number < (
          SELECT max(decision.number) FROM agent_history AS decision
          WHERE decision.agent_id = review.agent_id AND decision.action = review.state AND decision.at <= review.decided_at)
        ORDER BY step.number DESC LIMIT 1)`.execute(tx);
    await sql`ALTER TABLE tool_servers ADD COLUMN description_url text`.execute(tx);
  },
};
