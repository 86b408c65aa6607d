import type {
  AgentChat,
  AgentChatChange,
  AgentChatQuery,
  AgentChats,
} from '@ai-studio/contract/console/agent-talks.ts';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import {
  hasWords,
  isInPlace,
  oneLine,
  parseTalkCursor,
  requireFolder,
  snippetAround,
  talkCursor,
} from '../../conversations/index.ts';
import type { Person } from '../../kernel/actor.ts';
import { searchWords } from '../../kernel/search-words.ts';
import type { DatabaseDeps, Tables } from '../../ports/database.ts';
import { selectSessions, toSession } from './rows.ts';
import { isOwn, sessionNotFound, type SessionScope } from './session-scope.ts';

const ID = /^\d{1,15}$/;

// What a cursor says is exact to a millisecond, as dates of programs are.
const lastUpdated = sql<Date>`date_trunc('milliseconds', agent_sessions.updated_at)`;

/** What was said in a session, by the person and by the agent, in the order in which it was: a text each. */
const said = sql`agent_runs CROSS JOIN LATERAL (
    SELECT agent_runs.input ->> 'text' AS words, 1 AS place
    UNION ALL
    SELECT agent_steps.outputs ->> 'text', 2 FROM agent_steps
    WHERE agent_steps.run_id = agent_runs.id AND agent_steps.kind = 'ask' AND agent_steps.state = 'done'
    UNION ALL
    SELECT agent_runs.answer, 3
  ) AS said
  WHERE agent_runs.session_id = agent_sessions.id AND agent_runs.parent_run_id IS NULL`;
const saidWords = sql.ref('said.words');

/** Of the first text that has all of the words. */
const snippetOf = (words: readonly string[]) => sql<string | null>`(
  SELECT ${snippetAround(saidWords, words)} FROM ${said} AND ${hasWords(saidWords, words)}
  ORDER BY agent_runs.number, said.place LIMIT 1)`;

const wasSaid = (words: readonly string[]) =>
  sql<boolean>`EXISTS (SELECT 1 FROM ${said} AND ${hasWords(saidWords, words)})`;

/** Sessions of people with agents as these are or were deployed; `snippet`: what was found in them. */
const selectChats = (query: Kysely<Tables>, userId: string, snippet = sql<string | null>`NULL`) =>
  selectSessions(query, userId)
    .innerJoin('agents', 'agents.id', 'agent_sessions.agent_id')
    .select(['agents.slug', 'agents.name as agent_name', 'agent_sessions.pinned', 'agent_sessions.folder_id as folder'])
    .select(sql<boolean>`agents.deployed_version_id IS NOT NULL`.as('deployed'))
    .select(snippet.as('snippet'));

const toChat = ({
  slug,
  agent_name,
  deployed,
  pinned,
  folder,
  snippet,
  ...row
}: Omit<AgentChat, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
}): AgentChat => ({
  ...toSession(row),
  slug,
  agent_name,
  deployed,
  pinned,
  folder,
  snippet: snippet === null ? null : oneLine(snippet),
});

/**
 * A person's own sessions with agents as they are or were deployed, most recently updated first; with `text` those that have all
 * its words in their title and the name of their agent, or in one message or answer.
 */
export async function listChats(
  { db }: DatabaseDeps,
  { tenantId, userId }: Person,
  { text, before, size, pinned, folder }: z.output<typeof AgentChatQuery>,
): Promise<z.infer<typeof AgentChats>> {
  const words = searchWords(text);
  const searching = words.length > 0;
  let query = selectChats(db.query, userId, searching ? snippetOf(words) : undefined)
    .where('agent_sessions.tenant_id', '=', tenantId)
    .where('agent_sessions.user_id', '=', userId)
    .where('agent_sessions.type', '=', 'chat')
    .where(isInPlace('agent_sessions', { pinned, folder }));
  if (searching) {
    const named = sql`concat_ws(' ', agent_sessions.title, agents.name)`;
    query = query.where(sql<boolean>`(${hasWords(named, words)} OR ${wasSaid(words)})`);
  }
  if (before !== undefined) {
    const { updatedAt, id } = parseTalkCursor(before, ID);
    query = query.where(sql<boolean>`(${lastUpdated}, agent_sessions.id) < (${updatedAt}, ${Number(id)})`);
  }
  const rows = await query
    .orderBy(lastUpdated, 'desc')
    .orderBy('agent_sessions.id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { items: page.map(toChat), next: rows.length > size && last ? talkCursor(last) : null };
}

/** Changes the title of a person's own session, or its place in their list. Errors: `not_found`, also of the folder. */
export async function changeChat(
  { db }: DatabaseDeps,
  scope: SessionScope,
  id: number,
  { title, pinned, folder }: z.output<typeof AgentChatChange>,
): Promise<AgentChat> {
  return db.transaction(async (tx) => {
    const own = isOwn(scope);
    await tx
      .selectFrom('agent_sessions')
      .select('id')
      .where('id', '=', id)
      .where(own)
      .forUpdate()
      .executeTakeFirstOrThrow(sessionNotFound);
    if (folder != null) await requireFolder(tx, scope, folder);
    await tx
      .updateTable('agent_sessions')
      .set({
        ...(title === undefined ? {} : { title }),
        ...(pinned === undefined ? {} : { pinned }),
        ...(folder === undefined ? {} : { folder_id: folder }),
        // An UPDATE sets something.
        type: sql.ref('type'),
      })
      .where('id', '=', id)
      .execute();
    const row = await selectChats(tx, scope.userId)
      .where('agent_sessions.id', '=', id)
      .where(own)
      .executeTakeFirstOrThrow(sessionNotFound);
    return toChat(row);
  });
}
