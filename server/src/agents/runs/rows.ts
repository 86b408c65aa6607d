import type { RunInput } from '@ai-studio/contract/agents/run.ts';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Tables } from '../../ports/database.ts';
import type { Step } from './steps.ts';
import type { RunSnapshot } from './types.ts';

/** States after which nothing comes. */
export const terminalStates = ['completed', 'failed', 'canceled'] as const;
export const hasEnded = (state: string): boolean => (terminalStates as readonly string[]).includes(state);

const ID = /^[0-9a-f]{32}$/;
/** Whether a text can be the id of a run at all. */
export const isRunId = (text: string): boolean => ID.test(text);

const snapshotColumns = [
  'agent_runs.id',
  'agent_runs.agent_id',
  'agent_runs.version_id',
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
  'agent_runs.last_seq',
  'agent_runs.created_at',
  'agent_runs.state_at',
  'agent_runs.ended_at',
  'agent_sessions.context_id',
  'agent_sessions.type',
] as const;

/** Runs with their sessions. */
export const selectRuns = (query: Kysely<Tables>) =>
  query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .select(snapshotColumns);

type SnapshotRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>;

/** A run as callers see it. */
export const toSnapshot = (row: SnapshotRow): RunSnapshot => ({
  id: row.id,
  agentId: row.agent_id,
  versionId: row.version_id,
  sessionId: row.session_id,
  contextId: row.context_id,
  sessionType: row.type,
  state: row.state,
  input: row.input,
  answer: row.answer,
  question: row.question,
  citations: row.citations,
  parts: row.parts,
  failure: row.failure,
  usage: {
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    total_tokens: row.prompt_tokens + row.completion_tokens,
  },
  lastSeq: row.last_seq,
  createdAt: row.created_at,
  stateAt: row.state_at,
  endedAt: row.ended_at,
});

/** A run that this process runs, as it was claimed. */
export interface ClaimedRun extends Pick<
  Selectable<Tables['agent_runs']>,
  | 'id'
  | 'number'
  | 'agent_id'
  | 'session_id'
  | 'version_id'
  | 'definition'
  | 'key_id'
  | 'user_id'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'last_seq'
  | 'cancel_requested'
  | 'attempts'
  | 'spent_ms'
  | 'priority'
> {
  readonly tenant_id: TenantId;
  readonly input: RunInput;
  readonly claim: string;
  /** Whether it finds collections of its tenant whoever made them: its version was approved, or an administrator tries it. */
  readonly sees_all: boolean;
  /** Whether its session is there for all who build the agent: it was begun by a program. */
  readonly is_shown: boolean;
  /** Whether nothing was said in its session before. */
  readonly first_of_session: boolean;
}

/** Of a run, by its version and whoever runs it; see {@link ClaimedRun}. */
export const seesAllOf = (
  run: Readonly<Record<'tenant' | 'version' | 'user' | 'key', RawBuilder<unknown>>>,
): RawBuilder<boolean> => sql<boolean>`(
  EXISTS (SELECT 1 FROM agent_versions AS version
    WHERE version.id = ${run.version} AND version.tenant_id = ${run.tenant} AND version.approved_at IS NOT NULL)
  OR (${run.key} IS NULL AND EXISTS (SELECT 1 FROM memberships AS member
    WHERE member.tenant_id = ${run.tenant} AND member.user_id = ${run.user} AND member.role = 'administrator'
      AND member.state = 'active')))`;

export const seesAll = seesAllOf({
  tenant: sql`agent_runs.tenant_id`,
  version: sql`agent_runs.version_id`,
  user: sql`agent_runs.user_id`,
  key: sql`agent_runs.key_id`,
});

/** Whether the session of a run is there for all who build its agent. */
export const isShown = sql<boolean>`EXISTS (SELECT 1 FROM agent_sessions AS session
  WHERE session.id = agent_runs.session_id AND session.type = 'api')`;

export const claimedColumns = [
  'id',
  'number',
  'tenant_id',
  'agent_id',
  'session_id',
  'version_id',
  'definition',
  'key_id',
  'user_id',
  'input',
  'prompt_tokens',
  'completion_tokens',
  'last_seq',
  'cancel_requested',
  'attempts',
  'spent_ms',
  'priority',
] as const;

/** The steps of a run that were written before. */
export async function readSteps(query: Kysely<Tables>, runId: string): Promise<Map<string, Step>> {
  const rows = await query
    .selectFrom('agent_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('number')
    .execute();
  return new Map(
    rows.map((row) => [
      row.key,
      {
        key: row.key,
        node: row.node,
        kind: row.kind,
        state: row.state,
        inputs: row.inputs,
        outputs: row.outputs,
        kept: row.kept,
        failure: row.failure,
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        attempts: row.attempts,
        startedAt: row.started_at,
        endedAt: row.ended_at,
      },
    ]),
  );
}

/** The answer of a run as its log has it, up to an event or so far. */
export async function readAnswer(query: Kysely<Tables>, runId: string, until?: number): Promise<string> {
  const rows = await query
    .selectFrom('agent_events')
    .select('body')
    .where('run_id', '=', runId)
    .$if(until !== undefined, (events) => events.where('seq', '<=', until ?? 0))
    .where(({ eb, ref }) => eb(ref('body', '->>').key('type'), '=', 'text' as never))
    .orderBy('seq')
    .execute();
  return rows.map(({ body }) => (body.type === 'text' ? body.text : '')).join('');
}
