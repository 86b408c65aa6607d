import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type {
  AgentFile,
  AgentHistory,
  AgentVersion,
  AgentVersionDetails,
  DefinitionDifference,
} from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Database } from '../../ports/database.ts';
import { difference } from '../definition/difference.ts';
import { type AgentRow, findAgent, findVersion, type VersionRow } from './rows.ts';

interface Deps {
  readonly db: Database;
}

const selectVersions = ({ db }: Deps, agentId: string) =>
  db.query
    .selectFrom('agent_versions as version')
    .leftJoin('users', 'users.id', 'version.created_by')
    .where('version.agent_id', '=', agentId)
    .select([
      'version.id',
      'version.number',
      'version.hash',
      'version.note',
      'version.created_at',
      'version.approved_at',
      sql<string>`coalesce(users.name, '')`.as('by'),
    ]);

const toVersion = ({
  created_at,
  approved_at,
  ...row
}: Pick<VersionRow, 'id' | 'number' | 'hash' | 'note' | 'created_at' | 'approved_at'> & {
  readonly by: string;
}): AgentVersion => ({ ...row, created_at: created_at.toISOString(), approved: approved_at !== null });

/** Versions of an agent, the newest first. Errors: `not_found`. */
export async function listVersions(deps: Deps, tenantId: TenantId, id: string): Promise<AgentVersion[]> {
  await findAgent(deps.db.query, tenantId, id);
  const rows = await selectVersions(deps, id).orderBy('version.number', 'desc').execute();
  return rows.map(toVersion);
}

/** A version with its definition. Errors: `not_found`. */
export async function readVersion(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  versionId: string,
): Promise<AgentVersionDetails> {
  await findAgent(deps.db.query, tenantId, id);
  const { definition } = await findVersion(deps.db.query, id, versionId);
  const row = await selectVersions(deps, id).where('version.id', '=', versionId).executeTakeFirstOrThrow();
  return { ...toVersion(row), definition: AgentDefinition.parse(definition) };
}

async function definitionOf({ db }: Deps, agent: AgentRow, what: string): Promise<AgentDefinition> {
  return AgentDefinition.parse(
    what === 'draft' ? agent.draft : (await findVersion(db.query, agent.id, what)).definition,
  );
}

/** What differs between two versions, or a version and the draft. Errors: `not_found`. */
export async function compareVersions(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DefinitionDifference> {
  const agent = await findAgent(deps.db.query, tenantId, id);
  const [before, after] = await Promise.all([definitionOf(deps, agent, from), definitionOf(deps, agent, to)]);
  return difference(before, after);
}

/** What was done with an agent, the newest first. Errors: `not_found`. */
export async function readAgentHistory({ db }: Deps, tenantId: TenantId, id: string): Promise<AgentHistory> {
  await findAgent(db.query, tenantId, id);
  const rows = await db.query
    .selectFrom('agent_history as done')
    .leftJoin('users', 'users.id', 'done.made_by')
    .where('done.agent_id', '=', id)
    .select([
      'done.action',
      'done.version_number',
      'done.reason',
      'done.at',
      sql<string>`coalesce(users.name, '')`.as('by'),
    ])
    .orderBy('done.number', 'desc')
    .limit(1_000)
    .execute();
  return {
    items: rows.map(({ action, at, ...row }) => ({
      ...row,
      action: action as AgentHistory['items'][number]['action'],
      at: at.toISOString(),
    })),
  };
}

/** An agent as a file: its draft, or a version. Errors: `not_found`. */
export async function exportAgent(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  versionId = 'draft',
): Promise<{ readonly slug: string; readonly file: AgentFile }> {
  const agent = await findAgent(deps.db.query, tenantId, id);
  const { slug, name, description } = agent;
  const definition = await definitionOf(deps, agent, versionId);
  return { slug, file: { ai_studio_agent: 1, name, description, definition } };
}
