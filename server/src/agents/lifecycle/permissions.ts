import type { Transaction } from 'kysely';
import type { PersonActor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { AgentRow, Query, ReviewRow } from './rows.ts';

// Who may do what with agents. Everybody who builds may build on every agent of the tenant, submit it and try it; those who
// approve decide what callers get. Source: interface section 3, decisions section 4.

/** Throws StudioError `forbidden` (agent_not_yours): for an agent's maker, and who approves. */
export function requireCreator({ userId, rights }: PersonActor, { created_by: maker }: AgentRow): void {
  if (rights.has('agents.approve') || maker === userId) return;
  throw new StudioError('forbidden', 'The agent is somebody else’s', { reason: 'agent_not_yours' });
}

/** Throws StudioError `forbidden` (role_missing): for who approves. */
export function requireApprover({ rights }: PersonActor): void {
  if (!rights.has('agents.approve'))
    throw new StudioError('forbidden', 'Only an administrator changes what is deployed', { reason: 'role_missing' });
}

/** Throws StudioError `forbidden` (agent_not_yours): for who submitted it, and who approves. */
export function requireSubmitter({ userId, rights }: PersonActor, { submitted_by: submitter }: ReviewRow): void {
  if (rights.has('agents.approve') || submitter === userId) return;
  throw new StudioError('forbidden', 'Somebody else has submitted it', { reason: 'agent_not_yours' });
}

/** Whether nobody else in the tenant could approve. */
export async function isOnlyAdministrator(query: Query, { tenantId, userId }: PersonActor): Promise<boolean> {
  const other = await query
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'administrator')
    .where('state', '=', 'active')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

/** Throws StudioError `forbidden` (role_missing, agent_own_submission): for who may approve just this. */
export async function requireReviewer(tx: Transaction<Tables>, person: PersonActor, review: ReviewRow): Promise<void> {
  requireApprover(person);
  if (review.submitted_by !== person.userId || (await isOnlyAdministrator(tx, person))) return;
  throw new StudioError('forbidden', 'Somebody else must approve what you submitted', {
    reason: 'agent_own_submission',
  });
}
