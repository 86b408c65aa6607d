import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { LogSource } from '../../jobs/follow-log.ts';
import type { Database } from '../../ports/database.ts';
import { hasEnded } from './rows.ts';
import type { FollowOptions } from './types.ts';

/** Events that are read at once. */
const PAGE = 500;

const stateOf = ({ query }: Database, runId: string) =>
  query.selectFrom('agent_runs').select(['state', 'last_seq']).where('id', '=', runId).executeTakeFirst();

/** The log of a run. Source: AgentRuns.follow. */
export const runEvents = (
  db: Database,
  runId: string,
  { pastQuestions = false }: FollowOptions = {},
): LogSource<RunEvent> => ({
  async read(after) {
    const rows = await db.query
      .selectFrom('agent_events')
      .select(['seq', 'body', 'at'])
      .where('run_id', '=', runId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    const events = rows.map(({ seq, body, at }): RunEvent => ({ ...body, seq, at: at.toISOString() }));
    return { events, mayHaveMore: events.length === PAGE };
  },
  /** A run that waited for a person may have gone on since. */
  async isLast(event) {
    if (event.type !== 'state') return false;
    if (hasEnded(event.state)) return true;
    if (event.state !== 'input-required' || pastQuestions) return false;
    const row = await stateOf(db, runId);
    return row === undefined || (row.state === 'input-required' && row.last_seq === event.seq);
  },
  async isOver(last) {
    const row = await stateOf(db, runId);
    if (row === undefined) throw new StudioError('not_found', 'There is no such run');
    return last >= row.last_seq && (hasEnded(row.state) || (row.state === 'input-required' && !pastQuestions));
  },
});
