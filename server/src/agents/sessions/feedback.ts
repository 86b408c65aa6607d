import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import type {
  AgentFeedback,
  FeedbackReason,
  GiveFeedback,
  NewRunQuestion,
  RunQuestion,
} from '@ai-studio/contract/console/feedback.ts';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { addQuestions, findQuestion, removeQuestions } from '../../retrieval/index.ts';
import { findOwnRun, readAgentRun } from './runs.ts';
import type { SessionScope } from './session-scope.ts';

// What people think of answers. A rated answer, with the message that it answers, is shown to all who build the agent.

/** Keeps what a person thinks of the answer of a run of their own. Throws StudioError `not_found`; `conflict` while it is written. */
export async function rateRun(
  deps: DatabaseDeps,
  scope: SessionScope,
  runId: string,
  { rating, reasons, comment }: GiveFeedback,
): Promise<AgentRun> {
  const { sessionId } = await findOwnRun(deps, scope, runId);
  const { state } = await readAgentRun(deps, scope, runId);
  if (state === 'submitted' || state === 'working')
    throw new StudioError('conflict', 'The answer is still being written', { reason: 'answer_running' });
  const said = { rating, reasons: JSON.stringify([...new Set(reasons)]), comment: comment.replaceAll('\0', '') };
  const { tenantId: tenant_id, agentId: agent_id, userId: user_id } = scope;
  await deps.db.query
    .insertInto('run_feedback')
    .values({ run_id: runId, session_id: sessionId, tenant_id, agent_id, user_id, ...said })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ ...said, updated_at: sql<Date>`now()` }))
    .execute();
  return readAgentRun(deps, scope, runId);
}

/** Takes that back. An evaluation question that was made of it stays. Throws StudioError `not_found` for a run of somebody else. */
export async function unrateRun(deps: DatabaseDeps, scope: SessionScope, runId: string): Promise<void> {
  await findOwnRun(deps, scope, runId);
  await deps.db.query.deleteFrom('run_feedback').where('run_id', '=', runId).execute();
}

/** What people think of the answers of an agent. */
export async function readFeedback(
  { db: { query } }: DatabaseDeps,
  { tenantId, agentId }: Pick<SessionScope, 'tenantId' | 'agentId'>,
): Promise<AgentFeedback> {
  const { rows: counts } = await sql<{ up: number; down: number }>`
    SELECT count(*) FILTER (WHERE rating = 'up') AS up, count(*) FILTER (WHERE rating = 'down') AS down
    FROM run_feedback WHERE tenant_id = ${tenantId} AND agent_id = ${agentId}`.execute(query);
  const { rows: reasons } = await sql<{ reason: FeedbackReason; count: number }>`
    SELECT reason, count(*) AS count FROM run_feedback, jsonb_array_elements_text(reasons) AS reason
    WHERE tenant_id = ${tenantId} AND agent_id = ${agentId}
    GROUP BY reason ORDER BY count DESC, reason`.execute(query);
  return { up: counts[0]?.up ?? 0, down: counts[0]?.down ?? 0, reasons };
}

const noDocuments = () =>
  new StudioError('unprocessable', 'The answer cites no document: name those that should answer the question', {
    param: 'expected',
    reason: 'question_needs_documents',
  });

/** The collection that the answer cites most, and what it cites of it. */
function citedIn(citations: AgentRun['citations'], wanted: string | undefined) {
  const by = Map.groupBy(citations, ({ collection_id: id }) => id);
  const most = [...by].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
  const collectionId = wanted ?? most;
  const documents = collectionId === undefined ? [] : (by.get(collectionId) ?? []);
  return { collectionId, documents: [...new Set(documents.map(({ document_id: id }) => id))] };
}

/**
 * Makes an evaluation question of the message whose answer was rated. Throws StudioError `not_found`, `forbidden` for a collection that
 * is not the actor's; `unprocessable` (question_needs_documents) where no document is named or found.
 */
export async function addRunQuestion(
  deps: DatabaseDeps,
  actor: Actor,
  scope: SessionScope,
  { runId, body }: { readonly runId: string; readonly body: NewRunQuestion },
): Promise<RunQuestion> {
  const run = await readAgentRun(deps, scope, runId);
  if (run.feedback === null) throw new StudioError('conflict', 'The answer has not been rated');
  const { collectionId, documents } = citedIn(run.citations, body.collection_id);
  const expected = body.expected ?? documents;
  const question = run.text.trim();
  if (collectionId === undefined || expected.length === 0 || question === '') throw noDocuments();
  const { refused } = await addQuestions(deps, actor, collectionId, { items: [{ question, expected: [...expected] }] });
  const id = refused.length > 0 ? null : await findQuestion(deps, actor, collectionId, question);
  if (id === null) throw noDocuments();
  const added = { collection_id: collectionId, question_id: id };
  await deps.db.query.updateTable('run_feedback').set(added).where('run_id', '=', run.id).execute();
  return added;
}

/** Removes that question. Does nothing where there is none. Throws StudioError `not_found`, `forbidden`. */
export async function removeRunQuestion(
  deps: DatabaseDeps,
  actor: Actor,
  scope: SessionScope,
  runId: string,
): Promise<void> {
  const { evaluation } = await readAgentRun(deps, scope, runId);
  if (evaluation === null) return;
  try {
    await removeQuestions(deps, actor, evaluation.collection_id, evaluation.question_id);
  } catch (error) {
    // Whoever looks after the collection may have removed it.
    if (!(error instanceof StudioError && error.code === 'not_found')) throw error;
  }
  await deps.db.query
    .updateTable('run_feedback')
    .set({ collection_id: null, question_id: null })
    .where('run_id', '=', runId)
    .execute();
}
