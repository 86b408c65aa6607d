import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import type { Database } from '../../ports/database.ts';
import { graphOf } from '../definition/graph.ts';
import { namesInputData, withData } from '../definition/message-text.ts';
import { readExchangesByRun } from '../sessions/exchanges.ts';
import type { ClaimedRun } from './rows.ts';

/** Something that was said in the session before. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** Runs that are looked back at. */
const MAX_RUNS = 50;

/** What of a run says what came before it. */
type RunPlace = Pick<ClaimedRun, 'session_id' | 'number' | 'definition' | 'first_of_session' | 'input'>;

/**
 * What was asked and answered before this run, the oldest first: what its caller says, else what the session has. Runs without an answer are
 * left out.
 */
export async function readHistory(
  db: Database,
  { session_id, number, definition, first_of_session: isFirst, input }: RunPlace,
): Promise<readonly Turn[]> {
  if (input.history !== undefined) return input.history;
  if (isFirst) return [];
  const rows = await db.query
    .selectFrom('agent_runs')
    .select(['id', 'input', 'answer'])
    .where('session_id', '=', session_id)
    .where('number', '<', number)
    .where('state', '=', 'completed')
    .where('parent_run_id', 'is', null)
    .orderBy('number', 'desc')
    .limit(MAX_RUNS)
    .execute();
  // As the model was told of the message itself.
  const isNamed = rows.some(({ input: { data } }) => data !== null) && namesInputData(graphOf(definition));
  const exchanges = await readExchangesByRun(
    { db },
    rows.map(({ id }) => id),
  );
  return rows
    .toReversed()
    .flatMap(({ id, input: asked, answer }): Turn[] => [
      { role: 'user', text: isNamed ? asked.text : withData(asked) },
      ...answerTurns(answer, exchanges.get(id) ?? []),
    ]);
}

type Exchanges = NonNullable<ReturnType<Awaited<ReturnType<typeof readExchangesByRun>>['get']>>;

/** What a run said: its answer, with what it asked people in between and what they replied. */
function answerTurns(answer: string, exchanges: Exchanges): Turn[] {
  const turns: Turn[] = [];
  let from = 0;
  // Where the tenant does not keep what was said, there is neither.
  for (const { question, text, at } of exchanges.filter((one) => one.question !== '' || one.text !== '')) {
    const said = [answer.slice(from, at), question].filter((part) => part !== '').join('\n\n');
    turns.push({ role: 'assistant', text: said }, { role: 'user', text });
    from = at;
  }
  return [...turns, { role: 'assistant', text: answer.slice(from) }];
}

/** Files of the last message of the session before this run that brought some; none where the caller tells what came before. */
export async function readEarlierFiles(
  { query }: Database,
  { session_id, number, first_of_session: isFirst, input }: RunPlace,
): Promise<readonly RunFile[]> {
  if (isFirst || input.history !== undefined) return [];
  const row = await query
    .selectFrom('agent_runs')
    .select('input')
    .where('session_id', '=', session_id)
    .where('number', '<', number)
    .where('parent_run_id', 'is', null)
    .where(sql<boolean>`jsonb_array_length(input -> 'files') > 0`)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.input.files ?? [];
}
