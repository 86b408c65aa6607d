import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { Citation, RunStep } from '@ai-studio/contract/agents/run.ts';
import type { AgentRun, AgentRunTrace } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import { citedFor } from '../../retrieval/index.ts';
import { selectRuns, toRun, usageOf } from './rows.ts';
import { isOwn, isRunVisibleTo, runNotFound, type SessionScope } from './session-scope.ts';

interface RunDeps {
  readonly db: Database;
}

const ID = /^[0-9a-f]{32}$/;

/** A run that is there for the person, with those of its sources that are. Errors: `not_found`. */
export async function readAgentRun({ db }: RunDeps, scope: SessionScope, id: string): Promise<AgentRun> {
  if (!ID.test(id)) throw runNotFound();
  const row = await selectRuns(db.query)
    .where(isRunVisibleTo(scope))
    .where('agent_runs.id', '=', id)
    .executeTakeFirstOrThrow(runNotFound);
  const run = toRun(row);
  return { ...run, citations: await citedFor({ db }, scope, run.citations) };
}

/**
 * Where the log of a person's own run ends, which was begun the same way: an answer to what it asked goes on after that. Errors:
 * `not_found`.
 */
export async function findOwnRun(
  { db }: RunDeps,
  { tenantId, userId, agentId, from }: SessionScope,
  id: string,
): Promise<{ readonly lastSeq: number; readonly sessionId: number }> {
  const row = await db.query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .where('agent_runs.id', '=', id)
    .where('agent_runs.tenant_id', '=', tenantId)
    .where('agent_runs.agent_id', '=', agentId)
    .where('agent_runs.user_id', '=', userId)
    .where('agent_sessions.type', '=', from === 'chat' ? 'chat' : 'test')
    .select(['agent_runs.last_seq', 'agent_runs.session_id'])
    .executeTakeFirstOrThrow(runNotFound);
  return { lastSeq: row.last_seq, sessionId: row.session_id };
}

/** A run with all its nodes, in the order in which they were begun. Errors: `not_found`. */
export async function readTrace({ db }: RunDeps, scope: SessionScope, id: string): Promise<AgentRunTrace> {
  const run = await readAgentRun({ db }, scope, id);
  const { definition } = await db.query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .select('definition')
    // What went into its steps tells of all that was said before: it is not shown with an answer that was rated.
    .where(isOwn(scope))
    .where('agent_runs.id', '=', id)
    .executeTakeFirstOrThrow(runNotFound);
  const rows = await db.query
    .selectFrom('agent_steps')
    .selectAll()
    .where('run_id', '=', id)
    .orderBy('number')
    .execute();
  const steps = rows.map((row): RunStep => ({
    step: row.key,
    node: row.node,
    kind: row.kind,
    state: row.state,
    inputs: row.inputs,
    outputs: row.outputs,
    failure: row.failure,
    usage: usageOf(row),
    attempts: row.attempts,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }));
  return { ...run, steps, definition: AgentDefinition.parse(definition) };
}

/** What a run that is under way has said that it cites. */
async function citedSoFar({ db }: RunDeps, runId: string): Promise<readonly Citation[]> {
  const row = await db.query
    .selectFrom('agent_events')
    .select('body')
    .where('run_id', '=', runId)
    .where(sql<boolean>`body ->> 'type' = 'citations'`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.body.type === 'citations' ? row.body.citations : [];
}

/** A passage that the answer of a run cites, by the number in the text. Errors: `not_found`. */
export async function readCitation(
  deps: RunDeps,
  scope: SessionScope,
  { runId, number }: { readonly runId: string; readonly number: string },
): Promise<Citation> {
  const { citations, state } = await readAgentRun(deps, scope, runId);
  const isOpen = state === 'submitted' || state === 'working';
  const cited = isOpen ? await citedFor(deps, scope, await citedSoFar(deps, runId)) : citations;
  const found = cited.find((one) => String(one.number) === number);
  if (found === undefined) throw new StudioError('not_found', 'The answer has no such source');
  return found;
}
