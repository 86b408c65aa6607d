import type { AgentRun, AgentSession } from '@ai-studio/contract/console/agents.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../ports/tables.ts';

// Rows of sessions and runs, and what people see of them.

/** Sessions with what people call those whose they are. */
export const selectSessions = (query: Kysely<Tables>) =>
  query
    .selectFrom('agent_sessions')
    .leftJoin('users', 'users.id', 'agent_sessions.user_id')
    .leftJoin('api_keys', 'api_keys.id', 'agent_sessions.key_id')
    .select([
      'agent_sessions.id',
      'agent_sessions.type',
      'agent_sessions.title',
      'agent_sessions.created_at',
      'agent_sessions.updated_at',
      sql<string>`coalesce(api_keys.name, users.name, '')`.as('by'),
      sql<number>`(SELECT count(*) FROM agent_runs
        WHERE agent_runs.session_id = agent_sessions.id AND agent_runs.parent_run_id IS NULL)`.as('runs'),
    ]);

export const toSession = ({
  created_at,
  updated_at,
  ...row
}: Omit<AgentSession, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
}): AgentSession => ({ ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() });

/** Runs as people see them; what runs inside of another one is part of that. */
export const selectRuns = (query: Kysely<Tables>) =>
  query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .leftJoin('agent_versions', 'agent_versions.id', 'agent_runs.version_id')
    .where('agent_runs.parent_run_id', 'is', null)
    .select([
      'agent_runs.id',
      'agent_runs.session_id',
      'agent_runs.state',
      'agent_runs.input',
      'agent_runs.answer',
      'agent_runs.question',
      'agent_runs.citations',
      'agent_runs.parts',
      'agent_runs.failure',
      'agent_runs.prompt_tokens',
      'agent_runs.completion_tokens',
      'agent_runs.created_at',
      'agent_runs.ended_at',
      'agent_versions.number as version_number',
    ]);

type RunRow = Pick<
  Selectable<Tables['agent_runs']>,
  | 'id'
  | 'session_id'
  | 'state'
  | 'input'
  | 'answer'
  | 'question'
  | 'citations'
  | 'parts'
  | 'failure'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'created_at'
  | 'ended_at'
> & { readonly version_number: number | null };

export const usageOf = ({
  prompt_tokens,
  completion_tokens,
}: Readonly<Record<'prompt_tokens' | 'completion_tokens', number>>) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});

export const toRun = (row: RunRow, exchanges: AgentRun['exchanges'] = []): AgentRun => ({
  id: row.id,
  session_id: row.session_id,
  state: row.state,
  text: row.input.text,
  files: [...row.input.files],
  answer: row.answer,
  question: row.state === 'input-required' ? row.question : null,
  exchanges,
  citations: row.citations,
  parts: row.parts,
  failure: row.failure,
  usage: usageOf(row),
  version_number: row.version_number,
  created_at: row.created_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
});
