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

/** Whether a row of `agent_sessions` is there for the person. */
export const isVisibleTo = ({ tenantId, userId, agentId, from }: SessionScope): RawBuilder<boolean> => sql<boolean>`(
  agent_sessions.tenant_id = ${tenantId} AND agent_sessions.agent_id = ${agentId}
  AND CASE agent_sessions.type
    WHEN 'chat' THEN agent_sessions.user_id = ${userId}
    WHEN 'test' THEN ${from === 'build'} AND agent_sessions.user_id = ${userId}
    ELSE ${from === 'build'} END)`;
