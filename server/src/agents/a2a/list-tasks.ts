import { sql } from 'kysely';
import { selectRuns, toSnapshot } from '../runs/rows.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { ListCall } from './calls.ts';
import type { A2aCaller } from './caller.ts';
import type { A2aDeps } from './deps.ts';
import { A2aError } from './errors.ts';

// The tasks of an agent, the one that changed last first. Source: A2A 1.0, section 3.1.4.

export interface TaskPage {
  readonly tasks: readonly RunSnapshot[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly total: number;
}

/** Where a page ends: the time of the last change, to the microsecond, and the run's number. */
interface Place {
  readonly at: string;
  readonly number: number;
}

const tokenOf = ({ at, number }: Place) => Buffer.from(`${at} ${number}`).toString('base64url');

function placeOf(token: string): Place {
  const [, at, number] = /^(\d{1,20}) (\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? [];
  if (at === undefined || number === undefined)
    throw new A2aError('params', 'params.pageToken: it is none that this method gave');
  return { at, number: Number(number) };
}

const micros = sql<string>`(extract(epoch FROM agent_runs.updated_at) * 1000000)::bigint::text`;

/** Throws A2aError `params`. */
export async function listTasks({ db }: A2aDeps, { run, agent }: A2aCaller, call: ListCall): Promise<TaskPage> {
  const { contextId, state, changedSince, after, size } = call;
  if (state === 'none') return { tasks: [], nextPageToken: '', total: 0 };
  const place = after === null ? null : placeOf(after);
  const matching = selectRuns(db.query)
    .where('agent_runs.tenant_id', '=', run.tenantId)
    .where('agent_runs.agent_id', '=', agent.agent.id)
    .where('agent_sessions.type', '=', 'api')
    .$if(contextId !== null, (query) => query.where('agent_sessions.context_id', '=', contextId ?? ''))
    .$if(state !== null, (query) => query.where('agent_runs.state', '=', state ?? 'working'))
    .$if(changedSince !== null, (query) => query.where('agent_runs.updated_at', '>=', changedSince ?? new Date()));
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select(['agent_runs.number', micros.as('changed')])
    .$if(place !== null, (query) =>
      query.where(
        sql<boolean>`(${micros}::bigint, agent_runs.number) < (${place?.at ?? '0'}::bigint, ${place?.number ?? 0})`,
      ),
    )
    .orderBy('agent_runs.updated_at', 'desc')
    .orderBy('agent_runs.number', 'desc')
    .limit(size + 1)
    .execute();
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    tasks: shown.map(toSnapshot),
    nextPageToken: rows.length > size && last ? tokenOf({ at: last.changed, number: last.number }) : '',
    total: Number(total),
  };
}
