import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Principal } from '../../kernel/actor.ts';
import type { Database } from '../../ports/database.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import type { AgentChat } from './read-chat.ts';

// Which run a conversation belongs to. Clients of chats know no sessions: they send all that was said. A conversation is found by
// that, as the key has said it and the agent has answered it, so that a question of the agent is answered by the next message, and one
// conversation is one session.

/** How long a conversation is known; after it, it goes on as a new session that has been told what was said. */
const KNOWN_HOURS = 168;
/** Tells these rows of `agent_messages` from ids of messages. */
const MARK = 'chat';

type Turn = AgentChat['history'][number];

/** Clients trim texts, and some change blanks. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

async function nameOf({ keyId }: Principal, turns: readonly Turn[]): Promise<string> {
  const spend = createTurnBudget();
  const hash = createHash('sha256').update(JSON.stringify([keyId]));
  for (const { role, text } of turns) {
    hash.update(JSON.stringify([role, plain(text)]));
    await spend(text.length);
  }
  return `${MARK}/${hash.digest('hex')}`;
}

/** The run that gave the last reply of a conversation; null where there was none, or it is not known any more. */
export async function findConversation(
  { query }: Database,
  actor: Principal,
  agentId: string,
  turns: readonly Turn[],
): Promise<string | null> {
  if (turns.at(-1)?.role !== 'assistant') return null;
  const row = await query
    .selectFrom('agent_messages')
    .innerJoin('agent_runs', 'agent_runs.id', 'agent_messages.run_id')
    .select('agent_messages.run_id')
    .where('agent_messages.agent_id', '=', agentId)
    .where('agent_messages.message_id', '=', await nameOf(actor, turns))
    .where('agent_messages.hash', '=', MARK)
    .where('agent_messages.expires_at', '>=', sql<Date>`clock_timestamp()`)
    .where('agent_runs.tenant_id', '=', actor.tenantId)
    .where('agent_runs.key_id', '=', actor.keyId)
    .executeTakeFirst();
  return row?.run_id ?? null;
}

/** Keeps which run gave the last reply of a conversation. */
export async function rememberConversation(
  { query }: Database,
  actor: Principal,
  { agentId, runId }: { readonly agentId: string; readonly runId: string },
  turns: readonly Turn[],
): Promise<void> {
  const name = await nameOf(actor, turns);
  await sql`INSERT INTO agent_messages (agent_id, message_id, hash, run_id, expires_at)
    VALUES (${agentId}, ${name}, ${MARK}, ${runId}, clock_timestamp() + ${KNOWN_HOURS} * interval '1 hour')
    ON CONFLICT (agent_id, message_id) DO UPDATE
    SET hash = excluded.hash, run_id = excluded.run_id, expires_at = excluded.expires_at`.execute(query);
}
