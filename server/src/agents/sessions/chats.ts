import type { AgentChatQuery, AgentChats } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { searchWords, wordPattern } from '../../kernel/search-words.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { selectSessions, toSession } from './rows.ts';

function parseCursor(cursor: string) {
  const [, time, id] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw new StudioError('invalid_request', 'before must be what a page gave as next', {
      param: 'before',
      reason: 'invalid_field',
    });
  return { at: new Date(Number(time)), id: Number(id) };
}

// What a cursor says is exact to a millisecond, as dates of programs are.
const lastUpdated = sql<Date>`date_trunc('milliseconds', agent_sessions.updated_at)`;

/**
 * A person's own sessions with agents as they are or were deployed, most recently updated first; with `text` those that have all
 * its words in their title or in the name of their agent.
 */
export async function listChats(
  { db }: DatabaseDeps,
  { tenantId, userId }: Person,
  { text, before, size }: z.output<typeof AgentChatQuery>,
): Promise<z.infer<typeof AgentChats>> {
  let query = selectSessions(db.query, userId)
    .innerJoin('agents', 'agents.id', 'agent_sessions.agent_id')
    .select(['agents.slug', 'agents.name as agent_name'])
    .select(sql<boolean>`agents.deployed_version_id IS NOT NULL`.as('deployed'))
    .where('agent_sessions.tenant_id', '=', tenantId)
    .where('agent_sessions.user_id', '=', userId)
    .where('agent_sessions.type', '=', 'chat');
  const words = searchWords(text);
  if (words.length > 0) {
    const said = sql`concat_ws(' ', agent_sessions.title, agents.name)`;
    query = query.where(sql<boolean>`${said} ILIKE ALL (${words.map(wordPattern)}::text[])`);
  }
  if (before !== undefined) {
    const { at, id } = parseCursor(before);
    query = query.where(sql<boolean>`(${lastUpdated}, agent_sessions.id) < (${at}, ${id})`);
  }
  const rows = await query
    .orderBy(lastUpdated, 'desc')
    .orderBy('agent_sessions.id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map(({ slug, agent_name, deployed, ...row }) => ({ ...toSession(row), slug, agent_name, deployed })),
    next: rows.length > size && last ? `${last.updated_at.getTime()}-${last.id}` : null,
  };
}
