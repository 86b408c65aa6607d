import { type RawBuilder, sql } from 'kysely';
import type { Person } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';

/** Which of the sessions of an agent are looked at. */
export interface SessionScope extends Person {
  readonly agentId: string;
  /**
   * `chat`: what the person said to the agent as it is deployed. `build`: besides, the person's trials, and the sessions of keys,
   * which are for all who build.
   */
  readonly from: 'chat' | 'build';
}

export const sessionNotFound = () => new StudioError('not_found', 'There is no such session');
export const runNotFound = () => new StudioError('not_found', 'There is no such run');

/** Whether a row of `agent_sessions` is there for the person with all that was said in it. */
export const isOwn = ({ tenantId, userId, agentId, from }: SessionScope): RawBuilder<boolean> => sql<boolean>`(
  agent_sessions.tenant_id = ${tenantId} AND agent_sessions.agent_id = ${agentId}
  AND CASE agent_sessions.type
    WHEN 'chat' THEN agent_sessions.user_id = ${userId}
    WHEN 'test' THEN ${from === 'build'} AND agent_sessions.user_id = ${userId}
    ELSE ${from === 'build'} END)`;

/** Whether a row of `agent_sessions` is there for the person, be it for the answers that were rated: those are for all who build. */
export const isVisibleTo = (scope: SessionScope): RawBuilder<boolean> => sql<boolean>`(
  ${isOwn(scope)} OR (${scope.from === 'build'} AND agent_sessions.type = 'chat'
  AND agent_sessions.tenant_id = ${scope.tenantId} AND agent_sessions.agent_id = ${scope.agentId}
  AND EXISTS (SELECT 1 FROM run_feedback WHERE run_feedback.session_id = agent_sessions.id)))`;

/** Whether a row of `agent_runs`, beside that of its session, is there for the person. */
export const isRunVisibleTo = (scope: SessionScope): RawBuilder<boolean> => sql<boolean>`(
  ${isOwn(scope)} OR (${isVisibleTo(scope)}
  AND EXISTS (SELECT 1 FROM run_feedback WHERE run_feedback.run_id = agent_runs.id)))`;
