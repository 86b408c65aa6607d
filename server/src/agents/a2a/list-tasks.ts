import type { RunState } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import { fileBytes, MAX_FILES_BYTES } from '../runs/answer-parts.ts';
import { selectRuns, toSnapshot } from '../runs/rows.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { ListCall } from './calls.ts';
import type { AgentContext } from './context.ts';
import type { A2aDeps } from './deps.ts';
import { A2aError } from './errors.ts';
import { ownersOf } from './send.ts';

// The tasks of an agent, the one that changed last first. Source: A2A 1.0, section 3.1.4.

export interface TaskPage {
  readonly tasks: readonly RunSnapshot[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly total: number;
}

/** Where a page ends: when the state began, to the microsecond, and the run's number. */
interface Cursor {
  readonly at: string;
  readonly number: number;
}

const start: Cursor = { at: '0', number: 0 };
const encodeCursor = ({ at, number }: Cursor) => Buffer.from(`${at} ${number}`).toString('base64url');

function parseCursor(token: string): Cursor {
  const [, at, number] = /^(\d{1,16}) (\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? [];
  if (at === undefined || number === undefined)
    throw new A2aError('params', 'params.pageToken: it is none that this method gave');
  return { at, number: Number(number) };
}

const micros = sql<string>`(extract(epoch FROM agent_runs.state_at) * 1000000)::bigint::text`;
const timeOf = ({ at }: Cursor) => sql<Date>`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`;

/** What is asked for; the index of the list has all of it. The agent is one of the caller's tenant. */
const matching = ({ db }: A2aDeps, { actor, agent }: AgentContext, { contextId, state, changedSince }: ListCall) =>
  db.query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .where('agent_runs.agent_id', '=', agent.agent.id)
    .where('agent_sessions.type', '=', 'api')
    .$if(contextId !== null, (query) =>
      query
        .where('agent_sessions.context_id', '=', contextId ?? '')
        .where('agent_sessions.context_owner', 'in', ownersOf(actor)),
    )
    .$if(state !== null && state !== 'none', (query) => query.where('agent_runs.state', '=', state as RunState))
    .$if(changedSince !== null, (query) => query.where('agent_runs.state_at', '>=', changedSince ?? new Date()));

/** Throws A2aError `params`. */
export async function listTasks(deps: A2aDeps, ctx: AgentContext, call: ListCall): Promise<TaskPage> {
  const { state, after, size } = call;
  if (state === 'none') return { tasks: [], nextPageToken: '', total: 0 };
  const cursor = after === null ? null : parseCursor(after);
  const { total } = await matching(deps, ctx, call)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const places = await matching(deps, ctx, call)
    .select(['agent_runs.id', 'agent_runs.number', micros.as('at')])
    .$if(cursor !== null, (query) =>
      query.where(
        sql<boolean>`(agent_runs.state_at, agent_runs.number) < (${timeOf(cursor ?? start)}, ${(cursor ?? start).number})`,
      ),
    )
    .orderBy('agent_runs.state_at', 'desc')
    .orderBy('agent_runs.number', 'desc')
    .limit(size + 1)
    .execute();
  const runs = await readRuns(deps, places.slice(0, size));
  const tasks = call.artifacts ? fitting(runs) : runs;
  const last = places[tasks.length - 1];
  return {
    tasks,
    nextPageToken: places.length > tasks.length && last ? encodeCursor(last) : '',
    total: Number(total),
  };
}

/** As many tasks from the first on as their files have room for in one reply: a page may have fewer than were asked for. */
function fitting(runs: readonly RunSnapshot[]): readonly RunSnapshot[] {
  let bytes = 0;
  const over = runs.findIndex((run, index) => {
    bytes += run.parts.reduce((sum, part) => sum + fileBytes(part), 0);
    return index > 0 && bytes > MAX_FILES_BYTES;
  });
  return over === -1 ? runs : runs.slice(0, over);
}

/** The runs themselves, in that order. */
async function readRuns({ db }: A2aDeps, places: readonly { readonly id: string }[]): Promise<RunSnapshot[]> {
  if (places.length === 0) return [];
  const ids = places.map(({ id }) => id);
  const rows = await selectRuns(db.query).where('agent_runs.id', 'in', ids).execute();
  const runs = new Map(rows.map((row) => [row.id, toSnapshot(row)]));
  return ids.flatMap((id) => runs.get(id) ?? []);
}
