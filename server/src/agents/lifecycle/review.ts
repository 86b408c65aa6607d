import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { ApproveAgent, RejectAgent, SubmitAgent } from '@ai-studio/contract/console/agents.ts';
import { sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import type { PersonActor } from '../../kernel/actor.ts';
import type { AuditedContext } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Tables } from '../../ports/database.ts';
import { hashDefinition } from '../definition/hash.ts';
import type { LifecycleDeps } from './deps.ts';
import { deployVersion } from './deploy.ts';
import { requireRevision } from './draft.ts';
import { requireNoErrors } from './resources.ts';
import { recordAction } from './agent-history.ts';
import {
  type AgentRow,
  agentIsArchived,
  findAgent,
  findVersion,
  lockAgent,
  lockLiveAgent,
  newestVersion,
  pendingReview,
  type ReviewRow,
  type VersionRow,
} from './rows.ts';
import { requireApprover, requireReviewer, requireSubmitter } from './permissions.ts';

const clock = sql<Date>`clock_timestamp()`;

/**
 * Asks for the deployment of the draft as it is: of its newest version where that says the same, else of a new one. Errors:
 * `not_found`, `conflict` (agent_archived, agent_saved_elsewhere, agent_in_review, agent_has_errors, agent_unchanged).
 */
export async function submitAgent(
  deps: LifecycleDeps,
  ctx: AuditedContext,
  id: string,
  { note, revision }: z.output<typeof SubmitAgent>,
): Promise<void> {
  const { actor: person } = ctx;
  const before = await findAgent(deps.db.query, person.tenantId, id);
  if (before.archived_at !== null) throw agentIsArchived();
  // Of another revision than the one that is looked at here, nothing is submitted.
  if (before.revision === revision)
    await requireNoErrors(deps, person, before.slug, AgentDefinition.parse(before.draft));
  await deps.db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    await requireRevision(tx, agent, revision);
    if ((await pendingReview(tx, id)) !== undefined)
      throw new StudioError('conflict', 'A review is waiting', { reason: 'agent_in_review' });
    const version = await findOrCreateVersion(tx, person, agent, note);
    if (agent.deployed_version_id === version.id)
      throw new StudioError('conflict', 'This version is deployed', { reason: 'agent_unchanged' });
    await tx
      .insertInto('agent_reviews')
      .values({
        id: hexId(),
        agent_id: id,
        tenant_id: person.tenantId,
        version_id: version.id,
        hash: version.hash,
        note,
        submitted_by: person.userId,
      })
      .execute();
    await touch(tx, id);
    await recordAction(tx, ctx, agent, { action: 'submitted', version });
  });
}

/** The newest version where it says what the draft says, else a new one. */
async function findOrCreateVersion(
  tx: Transaction<Tables>,
  { tenantId, userId }: PersonActor,
  { id, draft }: AgentRow,
  note: string,
): Promise<VersionRow> {
  const newest = await newestVersion(tx, id);
  const hash = hashDefinition(draft);
  if (newest?.hash === hash) return newest;
  return tx
    .insertInto('agent_versions')
    .values({
      id: hexId(),
      agent_id: id,
      tenant_id: tenantId,
      number: (newest?.number ?? 0) + 1,
      definition: JSON.stringify(draft),
      hash,
      note,
      created_by: userId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const touch = (tx: Transaction<Tables>, id: string) =>
  tx.updateTable('agents').set({ updated_at: clock }).where('id', '=', id).execute();

const notInReview = () =>
  new StudioError('conflict', 'This review does not wait any more', { reason: 'agent_not_in_review' });

/** Takes back what was submitted. Errors: `not_found`, `forbidden` (agent_not_yours), `conflict` (agent_not_in_review). */
export async function withdrawAgent({ db }: LifecycleDeps, ctx: AuditedContext, id: string): Promise<void> {
  const { actor: person } = ctx;
  await db.transaction(async (tx) => {
    const agent = await lockAgent(tx, person.tenantId, id);
    const review = await pendingReview(tx, id);
    if (review === undefined) throw notInReview();
    requireSubmitter(person, review);
    await withdrawReview(tx, ctx, agent, review);
  });
}

/** The part of it that archiving does too. */
export async function withdrawReview(
  tx: Transaction<Tables>,
  ctx: AuditedContext,
  agent: AgentRow,
  review: ReviewRow,
): Promise<void> {
  const { actor: person } = ctx;
  await decide(tx, person, agent, review, { state: 'withdrawn' });
  const version = await findVersion(tx, agent.id, review.version_id);
  await recordAction(tx, ctx, agent, { action: 'withdrawn', version });
}

/** Also keeps what callers got until then: a decision is read later beside what it changed. */
async function decide(
  tx: Transaction<Tables>,
  { userId }: PersonActor,
  { id, deployed_version_id: compared }: AgentRow,
  review: ReviewRow,
  to: { readonly state: 'approved' | 'rejected' | 'withdrawn'; readonly reason?: string },
): Promise<void> {
  await tx
    .updateTable('agent_reviews')
    .set({ ...to, decided_by: userId, decided_at: clock, compared_version_id: compared })
    .where('id', '=', review.id)
    .execute();
  await touch(tx, id);
}

/** What a reviewer has looked at. */
type ReviewedContent = z.output<typeof ApproveAgent>;

/** The review that waits, where it is the one that was looked at, with the same content. */
async function requireReviewed(
  tx: Transaction<Tables>,
  agent: AgentRow,
  { review_id: reviewId, hash }: ReviewedContent,
) {
  const review = await pendingReview(tx, agent.id);
  if (review === undefined || review.id !== reviewId) throw notInReview();
  const version = await findVersion(tx, agent.id, review.version_id);
  // The hash is made anew, of what is stored: that is what is approved, whatever a newer form would add to it.
  const stored = hashDefinition(version.definition);
  if (review.hash !== hash || stored !== hash)
    throw new StudioError('conflict', 'The review is of something else than what was looked at', {
      reason: 'agent_review_differs',
    });
  return { review, version };
}

/**
 * Approves and deploys just what was looked at. Errors: `not_found`, `forbidden` (role_missing, agent_own_submission), `conflict`
 * (agent_archived, agent_not_in_review, agent_review_differs, agent_has_errors).
 */
export async function approveAgent(
  deps: LifecycleDeps,
  ctx: AuditedContext,
  id: string,
  reviewed: ReviewedContent,
): Promise<void> {
  const { actor: person } = ctx;
  requireApprover(person);
  const { slug } = await findAgent(deps.db.query, person.tenantId, id);
  const waiting = await pendingReview(deps.db.query, id);
  if (waiting !== undefined) {
    const { definition } = await findVersion(deps.db.query, id, waiting.version_id);
    await requireNoErrors(deps, person, slug, AgentDefinition.parse(definition));
  }
  await deps.db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    const { review, version } = await requireReviewed(tx, agent, reviewed);
    await requireReviewer(tx, person, review);
    await decide(tx, person, agent, review, { state: 'approved' });
    await tx.updateTable('agent_versions').set({ approved_at: clock }).where('id', '=', version.id).execute();
    await recordAction(tx, ctx, agent, { action: 'approved', version });
    await deployVersion(tx, ctx, agent, version);
  });
}

/** Sends it back with a reason. Errors: `not_found`, `forbidden` (role_missing), `conflict` (agent_not_in_review, agent_review_differs). */
export async function rejectAgent(
  { db }: LifecycleDeps,
  ctx: AuditedContext,
  id: string,
  { reason, ...reviewed }: z.output<typeof RejectAgent>,
): Promise<void> {
  const { actor: person } = ctx;
  requireApprover(person);
  await db.transaction(async (tx) => {
    const agent = await lockAgent(tx, person.tenantId, id);
    const { review, version } = await requireReviewed(tx, agent, reviewed);
    await decide(tx, person, agent, review, { state: 'rejected', reason });
    await recordAction(tx, ctx, agent, { action: 'rejected', version, reason });
  });
}
