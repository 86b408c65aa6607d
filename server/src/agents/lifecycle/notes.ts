import type { AgentNotes } from '@ai-studio/contract/console/agent-notes.ts';
import { sql } from 'kysely';
import type { Person } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';

interface DecidedRow {
  readonly review_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly version_number: number;
  readonly state: 'approved' | 'rejected';
  readonly reason: string | null;
  readonly decided_by: string;
  readonly decided_at: Date;
}

/** As many as people look at. */
const MAX_NOTES = 20;

/** What waits for a person, and what others decided lately about what they submitted. */
export async function readNotes(
  { db }: DatabaseDeps,
  { tenantId, userId }: Person,
  { approves }: { readonly approves: boolean },
): Promise<AgentNotes> {
  const [pending, { rows }] = await Promise.all([
    approves
      ? db.query
          .selectFrom('agent_reviews')
          .select(({ fn }) => fn.countAll<number>().as('pending'))
          .where('tenant_id', '=', tenantId)
          .where('state', '=', 'pending')
          .executeTakeFirstOrThrow()
      : null,
    sql<DecidedRow>`
      SELECT review.id AS review_id, review.agent_id, agents.name AS agent_name, version.number AS version_number,
        review.state, review.reason, coalesce(decider.name, '') AS decided_by, review.decided_at
      FROM agent_reviews AS review
      JOIN agents ON agents.id = review.agent_id
      JOIN agent_versions AS version ON version.id = review.version_id
      LEFT JOIN users AS decider ON decider.id = review.decided_by
      WHERE review.tenant_id = ${tenantId} AND review.submitted_by = ${userId}
        AND review.decided_by IS DISTINCT FROM ${userId} AND review.state IN ('approved', 'rejected')
        AND review.decided_at > now() - interval '14 days' AND agents.archived_at IS NULL
        AND NOT EXISTS (
          SELECT 1 FROM agent_reviews AS later WHERE later.agent_id = review.agent_id AND later.number > review.number)
      ORDER BY review.decided_at DESC LIMIT ${MAX_NOTES}`.execute(db.query),
  ]);
  return {
    pending: pending === null ? null : Number(pending.pending),
    decided: rows.map((row) => ({ ...row, decided_at: row.decided_at.toISOString() })),
  };
}
