import { sql } from 'kysely';
import { type AuditedContext, writeAudit } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { undeployVersion } from './deploy.ts';
import type { LifecycleDeps } from './deps.ts';
import { recordAction, targetOf } from './agent-history.ts';
import { findAgent, lockAgent, lockLiveAgent, pendingReview } from './rows.ts';
import { requireApprover, requireCreator } from './permissions.ts';
import { withdrawReview } from './review.ts';

const clock = sql<Date>`clock_timestamp()`;

/**
 * Puts an agent away: what waits for a review is withdrawn, what is deployed is undeployed. Errors: `not_found`, `forbidden`
 * (agent_not_yours; role_missing where it is deployed), `conflict` (agent_archived).
 */
export async function archiveAgent({ db }: LifecycleDeps, ctx: AuditedContext, id: string): Promise<void> {
  const { actor: person } = ctx;
  await db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    requireCreator(person, agent);
    if (agent.deployed_version_id !== null) requireApprover(person);
    const review = await pendingReview(tx, id);
    if (review !== undefined) await withdrawReview(tx, ctx, agent, review);
    if (agent.deployed_version_id !== null) await undeployVersion(tx, ctx, agent, agent.deployed_version_id);
    await tx.updateTable('agents').set({ archived_at: clock, updated_at: clock }).where('id', '=', id).execute();
    await recordAction(tx, ctx, agent, { action: 'archived' });
  });
}

const notArchived = () => new StudioError('conflict', 'The agent is not archived', { reason: 'agent_not_archived' });

/** Brings it back as a draft. Errors: `not_found`, `forbidden` (agent_not_yours), `conflict` (agent_not_archived). */
export async function unarchiveAgent({ db }: LifecycleDeps, ctx: AuditedContext, id: string): Promise<void> {
  const { actor: person } = ctx;
  await db.transaction(async (tx) => {
    const agent = await lockAgent(tx, person.tenantId, id);
    requireCreator(person, agent);
    if (agent.archived_at === null) throw notArchived();
    await tx.updateTable('agents').set({ archived_at: null, updated_at: clock }).where('id', '=', id).execute();
    await recordAction(tx, ctx, agent, { action: 'unarchived' });
  });
}

/**
 * Deletes an archived agent with its versions, sessions and runs, for ever. Errors: `not_found`, `forbidden` (agent_not_yours),
 * `conflict` (agent_not_archived, agent_running).
 */
export async function deleteAgent({ db, files }: LifecycleDeps, ctx: AuditedContext, id: string): Promise<void> {
  const { actor: person } = ctx;
  const before = await findAgent(db.query, person.tenantId, id);
  requireCreator(person, before);
  if (before.archived_at === null) throw notArchived();
  const running = await db.query
    .selectFrom('agent_runs')
    .select('id')
    .where('agent_id', '=', id)
    .where('state', 'in', ['submitted', 'working'])
    .limit(1)
    .executeTakeFirst();
  if (running !== undefined)
    throw new StudioError('conflict', 'Runs of the agent are under way', { reason: 'agent_running' });
  // Their bytes lie outside of the database: of what cannot be removed now a row still tells.
  await files.removeOfAgent(id);
  await db.transaction(async (tx) => {
    const agent = await lockAgent(tx, person.tenantId, id);
    if (agent.archived_at === null) throw notArchived();
    await tx.deleteFrom('agents').where('id', '=', id).execute();
    await writeAudit(tx, ctx.auditActor, {
      action: 'agent_removed',
      target: targetOf(agent),
      detail: { slug: agent.slug },
    });
  });
}
