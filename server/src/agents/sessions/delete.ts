import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import type { AgentFileStore } from '../files.ts';
import type { AgentRuns } from '../runs/types.ts';
import { isOwn, sessionNotFound, type SessionScope } from './session-scope.ts';

interface DeleteDeps {
  readonly db: Database;
  readonly runs: Pick<AgentRuns, 'cancel'>;
  readonly files: Pick<AgentFileStore, 'removeOf'>;
}

const open = ['submitted', 'working', 'input-required'] as const;

/** Deletes a session with its runs, what they left, and its files. What still runs ends first. Errors: `not_found`. */
export async function deleteSession(deps: DeleteDeps, scope: SessionScope, id: number): Promise<void> {
  const { tenantId, agentId } = scope;
  await deps.db.query
    .selectFrom('agent_sessions')
    .select('id')
    .where(isOwn(scope))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(sessionNotFound);
  const running = await deps.db.query
    .selectFrom('agent_runs')
    .select('id')
    .where('session_id', '=', id)
    .where('parent_run_id', 'is', null)
    .where('state', 'in', open)
    .execute();
  for (const run of running)
    await deps.runs.cancel(tenantId, agentId, run.id).catch((error: unknown) => {
      // It has ended meanwhile.
      if (!(error instanceof StudioError) || error.code !== 'conflict') throw error;
    });
  await deps.files.removeOf(id);
  await deps.db.query
    .deleteFrom('agent_sessions')
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('agent_id', '=', agentId)
    .execute();
}
