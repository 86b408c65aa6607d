import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { sql, type Transaction } from 'kysely';
import type { AuditedContext } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { LifecycleDeps } from './deps.ts';
import { requireNoErrors } from './resources.ts';
import { recordAction } from './agent-history.ts';
import { type AgentRow, findAgent, findVersion, lockLiveAgent, type VersionRow } from './rows.ts';
import { requireApprover } from './permissions.ts';

const clock = sql<Date>`clock_timestamp()`;

const setDeployedVersion = (tx: Transaction<Tables>, { id }: AgentRow, versionId: string | null) =>
  tx.updateTable('agents').set({ deployed_version_id: versionId, updated_at: clock }).where('id', '=', id).execute();

/** Callers get this version from now on; runs under way keep theirs. */
export async function deployVersion(
  tx: Transaction<Tables>,
  ctx: AuditedContext,
  agent: AgentRow,
  version: VersionRow,
): Promise<void> {
  await setDeployedVersion(tx, agent, version.id);
  await recordAction(tx, ctx, agent, { action: 'deployed', version });
}

/**
 * Deploys a version that was approved before: an earlier one, or the last after it was undeployed. Errors: `not_found`, `forbidden`
 * (role_missing), `conflict` (agent_archived, agent_not_approved, agent_has_errors, agent_unchanged).
 */
export async function deployAgent(
  deps: LifecycleDeps,
  ctx: AuditedContext,
  id: string,
  versionId: string,
): Promise<void> {
  const { actor: person } = ctx;
  requireApprover(person);
  const { slug } = await findAgent(deps.db.query, person.tenantId, id);
  const { definition, approved_at: approvedAt } = await findVersion(deps.db.query, id, versionId);
  if (approvedAt === null)
    throw new StudioError('conflict', 'This version was not approved', { reason: 'agent_not_approved' });
  await requireNoErrors(deps, person, slug, AgentDefinition.parse(definition));
  await deps.db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    const version = await findVersion(tx, id, versionId);
    if (agent.deployed_version_id === versionId)
      throw new StudioError('conflict', 'This version is deployed', { reason: 'agent_unchanged' });
    await deployVersion(tx, ctx, agent, version);
  });
}

/** Callers get none from now on. Errors: `not_found`, `forbidden` (role_missing), `conflict` (agent_not_deployed). */
export async function undeployAgent({ db }: LifecycleDeps, ctx: AuditedContext, id: string): Promise<void> {
  const { actor: person } = ctx;
  requireApprover(person);
  await db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    if (agent.deployed_version_id === null)
      throw new StudioError('conflict', 'No version of this agent is deployed', { reason: 'agent_not_deployed' });
    await undeployVersion(tx, ctx, agent, agent.deployed_version_id);
  });
}

/** The part of it that archiving does too. */
export async function undeployVersion(
  tx: Transaction<Tables>,
  ctx: AuditedContext,
  agent: AgentRow,
  versionId: string,
): Promise<void> {
  const version = await findVersion(tx, agent.id, versionId);
  await setDeployedVersion(tx, agent, null);
  await recordAction(tx, ctx, agent, { action: 'undeployed', version });
}
