import type { AgentSummary, AgentQuery } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { TenantId } from '../../kernel/context.ts';
import type { Database } from '../../ports/database.ts';
import { agentNotFound, stateOfAgent } from './rows.ts';

interface Deps {
  readonly db: Database;
}

/** Agents of a tenant as lists show them. */
const selectHeads = ({ db }: Deps, tenantId: TenantId) =>
  db.query
    .selectFrom('agents')
    .leftJoin('users', 'users.id', 'agents.created_by')
    .leftJoin('agent_versions as deployed', 'deployed.id', 'agents.deployed_version_id')
    .where('agents.tenant_id', '=', tenantId)
    .select([
      'agents.id',
      'agents.slug',
      'agents.name',
      'agents.description',
      'agents.deployed_version_id',
      'deployed.number as deployed_version',
      'agents.created_at',
      'agents.updated_at',
      stateOfAgent.as('state'),
      sql<string>`coalesce(users.name, '')`.as('by'),
      // A draft without any version is a change in itself.
      sql<boolean>`agents.draft_hash IS DISTINCT FROM (
        SELECT v.hash FROM agent_versions v WHERE v.agent_id = agents.id ORDER BY v.number DESC LIMIT 1)`.as(
        'has_changes',
      ),
    ]);

type HeadRow = Omit<AgentSummary, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

const toHead = ({ created_at, updated_at, ...row }: HeadRow): AgentSummary => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

const orderColumns = { name: 'agents.name', updated: 'agents.updated_at' } as const;

/** Agents of a tenant in an order; archived ones only where they are asked for. */
export async function listAgents(
  deps: Deps,
  tenantId: TenantId,
  { text, state, from, size, sort }: z.output<typeof AgentQuery>,
): Promise<{ items: AgentSummary[]; total: number }> {
  const like = `%${(text ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const named =
    text === undefined || text === ''
      ? sql<boolean>`true`
      : sql<boolean>`(agents.name ILIKE ${like} OR agents.slug ILIKE ${like} OR agents.description ILIKE ${like})`;
  const inState =
    state === undefined ? sql<boolean>`agents.archived_at IS NULL` : sql<boolean>`${stateOfAgent} = ${state}`;
  const rows = await selectHeads(deps, tenantId)
    .where(named)
    .where(inState)
    .orderBy(orderColumns[sort.replace('-', '') as keyof typeof orderColumns], sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('agents.id')
    .limit(size)
    .offset(from)
    .execute();
  const { total } = await deps.db.query
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where(named)
    .where(inState)
    .executeTakeFirstOrThrow();
  return { items: rows.map(toHead), total: Number(total) };
}

/** An agent as lists show it, with its draft. Errors: `not_found`. */
export async function readHead(deps: Deps, tenantId: TenantId, id: string) {
  const row = await selectHeads(deps, tenantId)
    .where('agents.id', '=', id)
    .select(['agents.draft', 'agents.revision'])
    .executeTakeFirstOrThrow(agentNotFound);
  const { draft, revision, ...head } = row;
  return { head: toHead(head), draft, revision };
}
