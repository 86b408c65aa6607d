import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { SessionScope } from './session-scope.ts';

/**
 * Files that a person has given to an agent, in the order of their ids. Errors: `invalid_request` with param `files` where one is
 * not there for them.
 */
export async function requireFiles(
  { db }: DatabaseDeps,
  { tenantId, userId, agentId }: SessionScope,
  ids: readonly string[],
): Promise<RunFile[]> {
  if (ids.length === 0) return [];
  const rows = await db.query
    .selectFrom('agent_files')
    .select(['id', 'name', 'media_type', 'size'])
    .where('id', 'in', [...new Set(ids)])
    .where('tenant_id', '=', tenantId)
    .where('agent_id', '=', agentId)
    .where('user_id', '=', userId)
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].map((id) => {
    const file = found.get(id);
    if (file !== undefined) return file;
    throw new StudioError('invalid_request', 'There is no such file', { param: 'files', reason: 'invalid_field' });
  });
}
