import type { AgentRun, AgentSession } from '@ai-studio/contract/console/agent-talks.ts';
import type { AnswerRating, FeedbackReason } from '@ai-studio/contract/console/feedback.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../ports/tables.ts';

// Rows of sessions and runs, and what people see of them.

/** Somebody else's chat, of which only answers that were rated are shown, and not whose it is. */
const isRatedOnly = (userId: string) =>
  sql<boolean>`(agent_sessions.type = 'chat' AND agent_sessions.user_id IS DISTINCT FROM ${userId})`;

const countRated = (rating: AnswerRating) =>
  sql<number>`(SELECT count(*) FROM run_feedback
    WHERE run_feedback.session_id = agent_sessions.id AND run_feedback.rating = ${rating})`;

/** First words of the first message whose answer was rated. */
const ratedTitle = sql<string>`(SELECT left(agent_runs.input ->> 'text', 60) FROM run_feedback
  JOIN agent_runs ON agent_runs.id = run_feedback.run_id
  WHERE run_feedback.session_id = agent_sessions.id ORDER BY agent_runs.number LIMIT 1)`;

/** Sessions as a person may see them, with what people call those whose they are. */
export const selectSessions = (query: Kysely<Tables>, userId: string) =>
  query
    .selectFrom('agent_sessions')
    .leftJoin('users', 'users.id', 'agent_sessions.user_id')
    .leftJoin('api_keys', 'api_keys.id', 'agent_sessions.key_id')
    .select([
      'agent_sessions.id',
      'agent_sessions.type',
      sql<string>`CASE WHEN ${isRatedOnly(userId)} THEN coalesce(${ratedTitle}, '') ELSE agent_sessions.title END`.as(
        'title',
      ),
      'agent_sessions.created_at',
      'agent_sessions.updated_at',
      sql<string>`CASE WHEN ${isRatedOnly(userId)} THEN '' ELSE coalesce(api_keys.name, users.name, '') END`.as('by'),
      sql<number>`CASE WHEN ${isRatedOnly(userId)}
        THEN (SELECT count(*) FROM run_feedback WHERE run_feedback.session_id = agent_sessions.id)
        ELSE (SELECT count(*) FROM agent_runs
          WHERE agent_runs.session_id = agent_sessions.id AND agent_runs.parent_run_id IS NULL) END`.as('runs'),
      countRated('up').as('up'),
      countRated('down').as('down'),
      isRatedOnly(userId).as('rated_only'),
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
    .leftJoin('run_feedback', 'run_feedback.run_id', 'agent_runs.id')
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
      'run_feedback.rating',
      'run_feedback.reasons',
      'run_feedback.comment',
      'run_feedback.collection_id',
      'run_feedback.question_id',
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
> & {
  readonly version_number: number | null;
  readonly rating: AnswerRating | null;
  readonly reasons: FeedbackReason[] | null;
  readonly comment: string | null;
  readonly collection_id: string | null;
  readonly question_id: string | null;
};

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
  feedback: row.rating === null ? null : { rating: row.rating, reasons: row.reasons ?? [], comment: row.comment ?? '' },
  evaluation:
    row.collection_id === null || row.question_id === null
      ? null
      : { collection_id: row.collection_id, question_id: row.question_id },
  version_number: row.version_number,
  created_at: row.created_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
});
