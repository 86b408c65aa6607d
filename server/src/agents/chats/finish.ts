import { sql } from 'kysely';
import type { Database } from '../../ports/database.ts';
import { parseTemplate } from '../definition/template-text.ts';
import type { RunSnapshot } from '../runs/types.ts';

/** How an answer ended; `length`: where the tokens of the model that gave it were used up. */
export type AnswerFinish = 'stop' | 'length';

/** The containers that a key of a step stands in, innermost first: `each[2]/`, and the outermost, which is empty. */
function* scopesOf(key: string): Generator<string> {
  const parts = key.split('/');
  for (let length = parts.length - 1; length >= 0; length--)
    yield parts
      .slice(0, length)
      .map((part) => `${part}/`)
      .join('');
}

/** Whether a step is of the agent itself, in its containers too, and not of one that it calls. */
const isOwn = (key: string) =>
  key
    .split('/')
    .slice(0, -1)
    .every((part) => part.endsWith(']'));

/**
 * How the answer of a run ended: as the model did whose text its last answer node says. `stop` where nobody knows: of agents that it calls,
 * and where the tenant keeps no contents of traces.
 */
export async function finishOf({ query }: Database, run: Pick<RunSnapshot, 'id' | 'state'>): Promise<AnswerFinish> {
  if (run.state !== 'completed') return 'stop';
  const steps = query.selectFrom('agent_steps').where('run_id', '=', run.id).where('state', '=', 'done');
  const cut = await steps
    .select('key')
    .where('kind', '=', 'model')
    .where(sql<boolean>`outputs->'cut' = 'true'::jsonb`)
    .execute();
  const models = new Set(cut.map(({ key }) => key));
  if (models.size === 0) return 'stop';
  const answers = await steps
    .select(['key', 'node'])
    .where('kind', '=', 'answer')
    .orderBy('ended_at', 'desc')
    .execute();
  const last = answers.find(({ key }) => isOwn(key));
  if (last === undefined) return 'stop';
  const { definition } = await query
    .selectFrom('agent_runs')
    .select('definition')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  const node = definition.nodes.find(({ id }) => id === last.node);
  if (node?.kind !== 'answer') return 'stop';
  const said = parseTemplate(node.text).parts.filter((part) => typeof part !== 'string');
  const isCut = said.some(
    ({ node: id, keys }) =>
      keys.length === 1 && keys[0] === 'text' && [...scopesOf(last.key)].some((scope) => models.has(scope + id)),
  );
  return isCut ? 'length' : 'stop';
}
