import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import { sql } from 'kysely';
import type { DatabaseDeps } from '../../ports/database.ts';

interface RunEventRow {
  readonly run_id: string;
  readonly type: 'text' | 'state';
  readonly text: string | null;
  readonly question: string | null;
}

const textOf = (outputs: unknown): string => {
  const { text } = (outputs ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? text : '';
};

/** What runs asked and people replied, by run. What the tenant does not keep is empty. */
export async function readExchangesByRun(
  { db }: DatabaseDeps,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, AgentRun['exchanges']>> {
  if (runIds.length === 0) return new Map();
  const replies = await db.query
    .selectFrom('agent_steps')
    .select(['run_id', 'outputs'])
    .where('run_id', 'in', runIds)
    .where('kind', '=', 'ask')
    .where('state', '=', 'done')
    .orderBy('ended_at')
    .execute();
  const asked = [...new Set(replies.map(({ run_id: id }) => id))];
  if (asked.length === 0) return new Map();
  const { rows } = await sql<RunEventRow>`
    SELECT run_id, body ->> 'type' AS type, body ->> 'text' AS text, body ->> 'question' AS question
    FROM agent_events
    WHERE run_id = ANY(${asked}::text[])
      AND (body ->> 'type' = 'text' OR (body ->> 'type' = 'state' AND body ->> 'state' = 'input-required'))
    ORDER BY run_id, seq`.execute(db.query);
  return new Map(
    asked.map((id) => {
      const texts = replies.filter((one) => one.run_id === id).map(({ outputs }) => textOf(outputs));
      let at = 0;
      const questions: { question: string; at: number }[] = [];
      for (const { run_id: of, type, text, question } of rows) {
        if (of !== id) continue;
        if (type === 'text') at += text?.length ?? 0;
        else questions.push({ question: question ?? '', at });
      }
      return [id, texts.map((text, index) => ({ question: '', at: 0, ...questions[index], text }))];
    }),
  );
}
