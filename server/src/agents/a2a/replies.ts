import type { RunInput } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import type { Database } from '../../ports/database.ts';

/** A question of an agent that was answered. */
export interface Exchange {
  /** Event that asked. */
  readonly seq: number;
  readonly question: string;
  readonly reply: RunInput;
}

/** What was asked and answered in a run, in order; nothing where the tenant keeps no contents of runs that have ended. */
export async function readExchanges({ query }: Database, runId: string): Promise<readonly Exchange[]> {
  const replies = await query
    .selectFrom('agent_steps')
    // What such a node gives is the reply.
    .select(sql<RunInput>`coalesce(nullif(kept, 'null')->'reply', outputs)`.as('reply'))
    .where('run_id', '=', runId)
    .where('kind', '=', 'ask')
    .where(sql<boolean>`jsonb_typeof(coalesce(nullif(kept, 'null')->'reply', outputs)) = 'object'`)
    .orderBy('number')
    .execute();
  if (replies.length === 0) return [];
  const { rows } = await sql<{ seq: number; question: string | null }>`
    SELECT seq, body->>'question' AS question FROM agent_events
    WHERE run_id = ${runId} AND body->>'state' = 'input-required' ORDER BY seq`.execute(query);
  return replies.flatMap(({ reply }, at) => {
    const asked = rows[at];
    return asked === undefined ? [] : [{ seq: asked.seq, question: asked.question ?? '', reply }];
  });
}
