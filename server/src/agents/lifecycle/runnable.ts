import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { CompiledQuery } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import { type Database, PREPARED } from '../../ports/database.ts';

// What of an agent may be run, and as which version.

interface AgentsDeps {
  readonly db: Database;
}

export interface RunnableAgent {
  readonly id: string;
  /** agent_slug. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

/** One version of an agent, or its draft. */
export interface Runnable {
  readonly agent: RunnableAgent;
  /** Null for a draft. */
  readonly versionId: string | null;
  readonly versionNumber: number | null;
  readonly definition: AgentDefinition;
}

/** A version that an administrator has let callers have. */
export interface Deployed extends Runnable {
  readonly versionId: string;
  readonly versionNumber: number;
  /** When the agent, or which version is deployed, changed last. */
  readonly updatedAt: Date;
  readonly deployed: true;
}

/** An agent that is there, but that callers cannot run: a draft, one under its first review, one that was put away. */
interface NotDeployed {
  readonly agent: RunnableAgent;
  readonly deployed: false;
}

interface DeploymentRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly updated_at: Date;
  readonly version_id: string | null;
  readonly version_number: number | null;
  readonly definition: AgentDefinition | null;
}

const fields = [
  'agents.id',
  'agents.slug',
  'agents.name',
  'agents.description',
  'agents.updated_at',
  'version.id as version_id',
  'version.number as version_number',
  'version.definition',
] as const;

const withDeployed = ({ db }: AgentsDeps, tenantId: TenantId) =>
  db.query
    .selectFrom('agents')
    .leftJoin('agent_versions as version', 'version.id', 'agents.deployed_version_id')
    .where('agents.tenant_id', '=', tenantId);

/** What callers of a slug run now; null where the tenant has no such agent. A newer version under review changes nothing. */
export async function deployedBySlug(
  deps: AgentsDeps,
  tenantId: TenantId,
  slug: string,
): Promise<Deployed | NotDeployed | null> {
  const query = withDeployed(deps, tenantId).where('slug', '=', slug).select(fields).compile();
  // It is asked for each request over A2A.
  const prepared = CompiledQuery.raw(`${PREPARED} ${query.sql}`, [...query.parameters]);
  const { rows } = await deps.db.query.executeQuery<DeploymentRow>(prepared);
  const [row] = rows;
  return row === undefined ? null : toDeployment(row);
}

/** All agents of a tenant that callers can run, by name. */
export async function listDeployed(deps: AgentsDeps, tenantId: TenantId): Promise<Deployed[]> {
  const rows = await withDeployed(deps, tenantId)
    .where('agents.deployed_version_id', 'is not', null)
    .select(fields)
    .orderBy('agents.name')
    .orderBy('agents.id')
    .execute();
  return rows.map(toDeployment).filter((one) => one.deployed);
}

function toDeployment(row: DeploymentRow): Deployed | NotDeployed {
  const { version_id: versionId, version_number: versionNumber, updated_at: updatedAt, definition, ...agent } = row;
  if (versionId === null || versionNumber === null || definition === null) return { agent, deployed: false };
  return { agent, deployed: true, versionId, versionNumber, updatedAt, definition: AgentDefinition.parse(definition) };
}

/**
 * What people who build run: the draft, the deployed version, or a version by its id. Errors: `not_found` where the tenant has
 * no such agent or version; `conflict` where nothing is deployed.
 */
export async function findRunnable(
  deps: AgentsDeps,
  tenantId: TenantId,
  agentId: string,
  selector: string,
): Promise<Runnable> {
  const row = await deps.db.query
    .selectFrom('agents')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', agentId)
    .select(['id', 'slug', 'name', 'description', 'draft', 'deployed_version_id'])
    .executeTakeFirst();
  if (row === undefined) throw new StudioError('not_found', 'There is no such agent');
  const { draft, deployed_version_id: deployed, ...agent } = row;
  if (selector === 'draft')
    return { agent, versionId: null, versionNumber: null, definition: AgentDefinition.parse(draft) };
  if (selector === 'deployed' && deployed === null)
    throw new StudioError('conflict', 'No version of this agent is deployed', { reason: 'agent_not_deployed' });
  const version = await deps.db.query
    .selectFrom('agent_versions')
    .where('tenant_id', '=', tenantId)
    .where('agent_id', '=', agentId)
    .where('id', '=', selector === 'deployed' ? (deployed ?? '') : selector)
    .select(['id', 'number', 'definition'])
    .executeTakeFirst();
  if (version === undefined) throw new StudioError('not_found', 'There is no such version');
  const definition = AgentDefinition.parse(version.definition);
  return { agent, versionId: version.id, versionNumber: version.number, definition };
}
