import type { AgentState } from '@ai-studio/contract/console/agents.ts';
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database, Tables } from '../../ports/database.ts';

export type AgentRow = Selectable<Tables['agents']>;
export type VersionRow = Selectable<Tables['agent_versions']>;
export type ReviewRow = Selectable<Tables['agent_reviews']>;

/** The database, or a transaction of it. */
export type Query = Database['query'] | Transaction<Tables>;

export const agentNotFound = () => new StudioError('not_found', 'There is no such agent');
const versionNotFound = () => new StudioError('not_found', 'There is no such version');

export const agentIsArchived = () => new StudioError('conflict', 'The agent is archived', { reason: 'agent_archived' });

/** An agent of the tenant. Throws StudioError `not_found`. */
export async function findAgent(query: Query, tenantId: TenantId, id: string): Promise<AgentRow> {
  const row = await query
    .selectFrom('agents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw agentNotFound();
  return row;
}

/** The same, for one change at a time: each verb holds the agent until its transaction ends. Throws StudioError `not_found`. */
export async function lockAgent(tx: Transaction<Tables>, tenantId: TenantId, id: string): Promise<AgentRow> {
  const row = await tx
    .selectFrom('agents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw agentNotFound();
  return row;
}

/** An agent that is not put away. Throws StudioError `not_found`, `conflict` (agent_archived). */
export async function lockLiveAgent(tx: Transaction<Tables>, tenantId: TenantId, id: string): Promise<AgentRow> {
  const row = await lockAgent(tx, tenantId, id);
  if (row.archived_at !== null) throw agentIsArchived();
  return row;
}

/** A version of an agent. Throws StudioError `not_found`. */
export async function findVersion(query: Query, agentId: string, id: string): Promise<VersionRow> {
  const row = await query
    .selectFrom('agent_versions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw versionNotFound();
  return row;
}

/** The version that was made last; undefined before the first. */
export const newestVersion = (query: Query, agentId: string): Promise<VersionRow | undefined> =>
  query
    .selectFrom('agent_versions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The review that waits; undefined where none does. */
export const pendingReview = (query: Query, agentId: string): Promise<ReviewRow | undefined> =>
  query
    .selectFrom('agent_reviews')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('state', '=', 'pending')
    .executeTakeFirst();

/** State of a row of `agents` as people see it: a review that waits goes before a version that is deployed. */
export const stateOfAgent: RawBuilder<z.infer<typeof AgentState>> = sql`CASE
  WHEN agents.archived_at IS NOT NULL THEN 'archived'
  WHEN EXISTS (SELECT 1 FROM agent_reviews r WHERE r.agent_id = agents.id AND r.state = 'pending') THEN 'pending_review'
  WHEN agents.deployed_version_id IS NOT NULL THEN 'deployed'
  ELSE 'draft' END`;
