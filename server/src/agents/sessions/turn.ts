import type { Principal } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import { RunError } from '../runs/run-error.ts';
import type { AgentRuns, RunRequest, RunSnapshot } from '../runs/types.ts';

interface TurnDeps {
  readonly db: Database;
  readonly runs: Pick<AgentRuns, 'start'>;
}

export interface Turn {
  readonly text: string;
  /** The session that it goes on with; null for a new one. */
  readonly sessionId: number | null;
}

export interface StartedTurn {
  readonly run: RunSnapshot;
  /** The event before the first that belongs to it. */
  readonly after: number;
}

const sessionNotFound = () => new StudioError('not_found', 'This agent has no such session');

/** The run of a session that waits for a reply. */
async function findWaiting(
  { db }: TurnDeps,
  { tenantId, userId }: Principal,
  { agentId, sessionType }: Pick<RunRequest, 'agentId' | 'sessionType'>,
  sessionId: number,
): Promise<string | null> {
  const row = await db.query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .select('agent_runs.id')
    .where('agent_runs.tenant_id', '=', tenantId)
    .where('agent_runs.agent_id', '=', agentId)
    .where('agent_runs.state', '=', 'input-required')
    .where('agent_sessions.id', '=', sessionId)
    .where('agent_sessions.type', '=', sessionType)
    .$if(sessionType === 'chat', (query) => query.where('agent_sessions.user_id', '=', userId))
    .orderBy('agent_runs.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Sends a message to a deployed agent, for a caller that knows sessions alone: a question that waits in the session is answered by it. What
 * keys say is a session of the interface, what people say a chat of theirs. Throws StudioError `not_found` for a session that is not there
 * for the caller, and what runs throw.
 */
export async function startTurn(
  deps: TurnDeps,
  actor: Principal,
  { agent, versionId, definition }: Deployed,
  { text, sessionId }: Turn,
): Promise<StartedTurn> {
  const request: RunRequest = {
    agentId: agent.id,
    versionId,
    definition,
    sessionType: actor.keyId === null ? 'chat' : 'api',
    ...(sessionId === null ? {} : { session: { id: sessionId } }),
    message: null,
    input: { text, files: [], data: null },
  };
  const waiting = sessionId === null ? null : await findWaiting(deps, actor, request, sessionId);
  try {
    if (waiting !== null) {
      const { run } = await deps.runs.start(actor, { ...request, continues: waiting });
      return { run, after: run.lastSeq };
    }
  } catch (error) {
    // Somebody else has answered at the same moment: this is a message of its own.
    if (!(error instanceof RunError) || error.refusal !== 'not_waiting_for_input') throw error;
  }
  try {
    return { run: (await deps.runs.start(actor, request)).run, after: 0 };
  } catch (error) {
    if (error instanceof RunError && error.refusal === 'unknown_session') throw sessionNotFound();
    throw error;
  }
}
