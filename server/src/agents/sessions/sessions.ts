import type { AgentRuns, AgentSessionQuery, AgentSessions } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../ports/database.ts';
import { citedFor } from '../../retrieval/index.ts';
import { readExchangesByRun } from './exchanges.ts';
import { selectRuns, selectSessions, toRun, toSession } from './rows.ts';
import { isRunVisibleTo, isVisibleTo, sessionNotFound, type SessionScope } from './session-scope.ts';

interface SessionDeps {
  readonly db: Database;
}

/** Runs of one session that are shown: the last ones. */
const MAX_RUNS = 500;

/** Sessions of an agent that are there for the person, the newest first. */
export async function listSessions(
  { db }: SessionDeps,
  scope: SessionScope,
  { type, rating, before, size }: z.output<typeof AgentSessionQuery>,
): Promise<z.infer<typeof AgentSessions>> {
  let query = selectSessions(db.query, scope.userId).where(isVisibleTo(scope));
  if (type !== undefined) query = query.where('agent_sessions.type', '=', type);
  if (rating !== undefined)
    query = query.where(sql<boolean>`EXISTS (SELECT 1 FROM run_feedback
      WHERE run_feedback.session_id = agent_sessions.id AND run_feedback.rating = ${rating})`);
  if (before !== undefined) query = query.where('agent_sessions.id', '<', before);
  const rows = await query
    .orderBy('agent_sessions.id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  return { items: page.map(toSession), next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
}

/** The number of a session as it stands in addresses. Throws StudioError `not_found` for what is none. */
export function sessionNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw sessionNotFound();
}

/** A session with its runs in the order in which they were begun. Errors: `not_found`. */
export async function readAgentSession(
  { db }: SessionDeps,
  scope: SessionScope,
  id: number,
): Promise<z.infer<typeof AgentRuns>> {
  const { folder, ...session } = await selectSessions(db.query, scope.userId)
    .select(
      sql<string | null>`CASE WHEN agent_sessions.user_id = ${scope.userId} THEN agent_sessions.folder_id END`.as(
        'folder',
      ),
    )
    .where(isVisibleTo(scope))
    .where('agent_sessions.id', '=', id)
    .executeTakeFirstOrThrow(sessionNotFound);
  const rows = await selectRuns(db.query)
    .where(isRunVisibleTo(scope))
    .where('agent_runs.session_id', '=', id)
    .orderBy('agent_runs.number', 'desc')
    .limit(MAX_RUNS)
    .execute();
  const exchanges = await readExchangesByRun(
    { db },
    rows.map((row) => row.id),
  );
  const runs = rows.toReversed().map((row) => toRun(row, exchanges.get(row.id)));
  const cited = new Set(
    await citedFor(
      { db },
      scope,
      runs.flatMap(({ citations }) => citations),
    ),
  );
  const items = runs.map((run) => ({ ...run, citations: run.citations.filter((one) => cited.has(one)) }));
  return { session: toSession(session), folder, items };
}

/**
 * Requires that the person may go on with a session: one of their own, begun the same way. Errors: `not_found`. What keys have
 * begun is read, but never gone on with, by people.
 */
export async function requireOwnSession(
  { db }: SessionDeps,
  { tenantId, userId, agentId, from }: SessionScope,
  id: number,
): Promise<void> {
  await db.query
    .selectFrom('agent_sessions')
    .select(sql`1`.as('one'))
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('agent_id', '=', agentId)
    .where('user_id', '=', userId)
    .where('type', '=', from === 'chat' ? 'chat' : 'test')
    .executeTakeFirstOrThrow(sessionNotFound);
}
