import type { AgentReview, AgentReviewQuery } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { PersonActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Database } from '../../ports/database.ts';
import type { ReviewRow } from './rows.ts';
import { isOnlyAdministrator } from './permissions.ts';

interface Deps {
  readonly db: Database;
}

/** As many as a page shows: older ones stand in the history of their agent. */
const MAX_REVIEWS = 200;

/** What callers get now, while it waits; later what they got when it was decided, which is what was looked at. */
const comparedWith = sql<string>`CASE WHEN review.state = 'pending' THEN agents.deployed_version_id
  ELSE review.compared_version_id END`;

const selectReviews = ({ db }: Deps, tenantId: TenantId) =>
  db.query
    .selectFrom('agent_reviews as review')
    .innerJoin('agents', 'agents.id', 'review.agent_id')
    .innerJoin('agent_versions as version', 'version.id', 'review.version_id')
    .leftJoin('agent_versions as deployed', (join) => join.on('deployed.id', '=', comparedWith))
    .leftJoin('users as submitter', 'submitter.id', 'review.submitted_by')
    .leftJoin('users as decider', 'decider.id', 'review.decided_by')
    .where('review.tenant_id', '=', tenantId)
    .selectAll('review')
    .select([
      'agents.name as agent_name',
      'deployed.id as deployed_version_id',
      'deployed.number as deployed_version_number',
      'version.number as version_number',
      sql<string>`coalesce(submitter.name, '')`.as('submitter_name'),
      'decider.name as decider_name',
    ])
    .orderBy('review.number', 'desc');

type Row = ReviewRow & {
  readonly agent_name: string;
  readonly deployed_version_id: string | null;
  readonly deployed_version_number: number | null;
  readonly version_number: number;
  readonly submitter_name: string;
  readonly decider_name: string | null;
};

const toReview = (row: Row, { userId, rights }: PersonActor, alone: boolean): AgentReview => ({
  id: row.id,
  agent_id: row.agent_id,
  agent_name: row.agent_name,
  version_id: row.version_id,
  version_number: row.version_number,
  hash: row.hash,
  state: row.state,
  note: row.note,
  reason: row.reason,
  submitted_by: row.submitter_name,
  submitted_at: row.submitted_at.toISOString(),
  decided_by: row.decider_name,
  decided_at: row.decided_at?.toISOString() ?? null,
  deployed_version_id: row.deployed_version_id,
  deployed_version_number: row.deployed_version_number,
  own: row.submitted_by === userId,
  may_decide: row.state === 'pending' && rights.has('agents.approve') && (row.submitted_by !== userId || alone),
});

/** Reviews of a tenant, the newest first, and how many wait. */
export async function listReviews(
  deps: Deps,
  person: PersonActor,
  { state }: z.output<typeof AgentReviewQuery>,
): Promise<{ items: AgentReview[]; pending: number }> {
  const { tenantId } = person;
  let rows = selectReviews(deps, tenantId).limit(MAX_REVIEWS);
  if (state !== undefined) rows = rows.where('review.state', '=', state);
  const [found, { pending }, alone] = await Promise.all([
    rows.execute(),
    deps.db.query
      .selectFrom('agent_reviews')
      .select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow(),
    isOnlyAdministrator(deps.db.query, person),
  ]);
  return { items: found.map((row) => toReview(row, person, alone)), pending: Number(pending) };
}

/** The review of an agent that waits, or the last that was decided; null where it was never submitted. */
export async function lastReview(deps: Deps, person: PersonActor, agentId: string): Promise<AgentReview | null> {
  const [row, alone] = await Promise.all([
    selectReviews(deps, person.tenantId).where('review.agent_id', '=', agentId).limit(1).executeTakeFirst(),
    isOnlyAdministrator(deps.db.query, person),
  ]);
  return row === undefined ? null : toReview(row, person, alone);
}
