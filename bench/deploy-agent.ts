import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { TenantId } from '../server/src/kernel/context.ts';
import { hexId } from '../server/src/kernel/ids.ts';
import type { Database } from '../server/src/ports/database.ts';

/** Makes an agent whose only version is approved and deployed, without people. Returns its A2A path. */
export async function deployAgent(db: Database, tenantId: TenantId, definition: AgentDefinition): Promise<string> {
  const [id, version, slug] = [hexId(), hexId(), `bench-${hexId()}`];
  const text = JSON.stringify(definition);
  const common = { tenant_id: tenantId, created_by: 'bench' };
  await db.query
    .insertInto('agents')
    .values({ ...common, id, slug, name: slug, draft: text })
    .execute();
  await db.query
    .insertInto('agent_versions')
    .values({ ...common, id: version, agent_id: id, number: 1, definition: text, hash: 'x', approved_at: new Date() })
    .execute();
  await db.query.updateTable('agents').set({ deployed_version_id: version }).where('id', '=', id).execute();
  return `/api/v1/external/agents/${slug}/a2a`;
}
