import { StudioError } from '../../kernel/errors.ts';
import type { LogSource } from '../../jobs/follow-log.ts';
import type { Database } from '../../ports/database.ts';
import { eventsIn, isEnd, type StreamedEvent } from '../streamed-event.ts';
import type { SealedJobs } from './jobs.ts';

/** Rows of events that are read at once. */
const PAGE = 50;
/** The log of a response that is made in the background as a stream. */
export const responseEvents = (db: Database, sealed: SealedJobs, id: string): LogSource<StreamedEvent> => ({
  async read(after) {
    const rows = await db.query
      .selectFrom('response_events')
      .select(['first_seq', 'sealed'])
      .where('response_id', '=', id)
      .where('last_seq', '>', after)
      .orderBy('last_seq')
      .limit(PAGE)
      .execute();
    const events = rows.flatMap((row) => eventsIn(sealed.openEvents(id, row.sealed), row.first_seq));
    return { events: events.filter(({ seq }) => seq > after), mayHaveMore: rows.length === PAGE };
  },
  isLast: isEnd,
  async isOver(last) {
    const row = await db.query
      .selectFrom('response_jobs')
      .select(['state', 'last_seq'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new StudioError('not_found', 'The response was deleted');
    return row.state === 'ended' && last >= row.last_seq;
  },
});
