import type { ToolServer } from '@ai-studio/contract/console/agents.ts';
import { type Selectable, sql } from 'kysely';
import { StudioError } from '../../../kernel/errors.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import type { TenantId } from '../../../kernel/context.ts';
import type { Database, Tables } from '../../../ports/database.ts';

export type ToolServerRow = Selectable<Tables['tool_servers']>;
export type Headers = Readonly<Record<string, string>>;

/** A server of the tenant. Throws StudioError `not_found`. */
export async function findServer(db: Database, tenantId: TenantId, id: string): Promise<ToolServerRow> {
  const row = await db.query
    .selectFrom('tool_servers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return row;
  throw new StudioError('not_found', 'There is no such tool server');
}

/** Tool servers of a tenant, the oldest first. */
export const listConnectedServers = (
  db: Database,
  tenantId: TenantId,
): Promise<readonly Pick<ToolServerRow, 'id' | 'name' | 'url'>[]> =>
  db.query
    .selectFrom('tool_servers')
    .select(['id', 'name', 'url'])
    .where('tenant_id', '=', tenantId)
    .orderBy('number')
    .execute();

/** What sealed headers are for: those of one server are of no use in the row of another. */
const purposeOf = (id: string) => `tool_servers:${id}`;

export const sealHeaders = (box: SecretBox, id: string, headers: Headers): string | null =>
  Object.keys(headers).length === 0 ? null : box.seal(JSON.stringify(headers), purposeOf(id));

/** The headers of a server. Throws StudioError `unavailable` where they cannot be opened. */
export const openHeaders = (
  box: SecretBox,
  { id, sealed_headers: sealed }: Pick<ToolServerRow, 'id' | 'sealed_headers'>,
): Headers => (sealed === null ? {} : (JSON.parse(box.open(sealed, purposeOf(id))) as Headers));

/** Agents of the tenant that name a server in their draft or in the version that callers get, by the server's id. */
export async function usersOf(db: Database, tenantId: TenantId): Promise<ReadonlyMap<string, ToolServer['used_by']>> {
  const { rows } = await sql<{ server: string; id: string; name: string }>`
    SELECT s.id AS server, a.id, a.name
    FROM tool_servers s
    JOIN agents a ON a.tenant_id = s.tenant_id AND a.archived_at IS NULL
    LEFT JOIN agent_versions v ON v.id = a.deployed_version_id
    WHERE s.tenant_id = ${tenantId}
      AND (position(s.id IN a.draft::text) > 0 OR position(s.id IN coalesce(v.definition::text, '')) > 0)
    ORDER BY a.name, a.id`.execute(db.query);
  const found = new Map<string, ToolServer['used_by']>();
  for (const { server, id, name } of rows) found.set(server, [...(found.get(server) ?? []), { id, name }]);
  return found;
}

/** A server as people see it: its headers by name only. */
export const toView = (row: ToolServerRow, users: ToolServer['used_by']): ToolServer => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  url: row.url,
  headers: row.header_names,
  state: row.failure === null ? 'ready' : 'failed',
  failure: row.failure,
  tools: row.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  description_url: row.description_url,
  left_out: row.left_out,
  used_by: users,
  updated_at: row.updated_at.toISOString(),
});
