import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { onceBack } from '../../jobs/once-back.ts';
import type { Database } from '../../ports/database.ts';
import type { Hub } from './hub.ts';
import { hasEnded } from './rows.ts';
import type { FollowOptions } from './types.ts';

/** Events that are read at once. */
const PAGE = 500;
/** Events that are buffered for a slow reader; further ones are read from the database. */
const MAX_BUFFERED = 1_000;
/** How often the database is polled for events of other processes whose bus message was missed. */
const POLL_MS = 3_000;

interface FollowDeps {
  readonly db: Database;
  readonly hub: Hub;
  /** Ends all following. */
  readonly closing: AbortSignal;
}

async function readEvents({ query }: Database, runId: string, after: number): Promise<RunEvent[]> {
  const rows = await query
    .selectFrom('agent_events')
    .select(['seq', 'body', 'at'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(PAGE)
    .execute();
  return rows.map(({ seq, body, at }) => ({ ...body, seq, at: at.toISOString() }));
}

/** Whether nothing comes after this event. A run that waited for a person may have gone on since. */
async function isLast(
  { query }: Database,
  runId: string,
  event: Extract<RunEvent, { type: 'state' }>,
  { pastQuestions = false }: FollowOptions,
): Promise<boolean> {
  if (hasEnded(event.state)) return true;
  if (event.state !== 'input-required' || pastQuestions) return false;
  const row = await query
    .selectFrom('agent_runs')
    .select(['state', 'last_seq'])
    .where('id', '=', runId)
    .executeTakeFirst();
  return row === undefined || (row.state === 'input-required' && row.last_seq === event.seq);
}

/** Events of a run that one follower has received and not read yet. */
class Inbox {
  buffered: RunEvent[] = [];
  /** Whether events must be read from the database. */
  stale = true;
  #wake: () => void = () => undefined;

  /** All that is written so far: the database need not be asked. */
  begin(events: readonly RunEvent[]): void {
    this.buffered = [...events];
    this.stale = false;
  }

  events(events: readonly RunEvent[]): void {
    if (this.buffered.length + events.length > MAX_BUFFERED) {
      this.buffered = [];
      this.stale = true;
    } else this.buffered.push(...events);
    this.#wake();
  }

  markStale(): void {
    this.stale = true;
    this.#wake();
  }

  /** Ends a waiting. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when something came, or with `wake`. */
  wait(): Promise<void> {
    if (this.stale || this.buffered.length > 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }
}

/** The events of a run after `after`, each once, in order; waits where the database is away. Source: AgentRuns.follow. */
export async function* followRun(
  { db, hub, closing }: FollowDeps,
  runId: string,
  after: number,
  signal: AbortSignal,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent, void> {
  const inbox = new Inbox();
  const unsubscribe = hub.add(runId, inbox);
  const all = hub.all(runId);
  if (all !== null) inbox.begin(all);
  const onEnd = () => inbox.wake();
  const signals = [signal, closing];
  const ended = AbortSignal.any(signals);
  for (const one of signals) one.addEventListener('abort', onEnd, { once: true });
  const polls = setInterval(() => inbox.markStale(), POLL_MS).unref();
  const throwIfEnded = () => {
    for (const one of signals) if (one.aborted) throw one.reason;
  };
  let last = after;
  try {
    for (;;) {
      throwIfEnded();
      let events: RunEvent[];
      if (inbox.buffered.length > 0 && (inbox.buffered[0]?.seq ?? 0) <= last + 1) {
        events = inbox.buffered.filter(({ seq }) => seq > last);
        inbox.buffered = [];
      } else if (inbox.stale || inbox.buffered.length > 0) {
        inbox.stale = false;
        events = await onceBack(() => readEvents(db, runId, last), ended);
        // What was told of meanwhile may be among them; what is not is read with the next page.
        if (events.length === PAGE) inbox.stale = true;
        else if (events.length === 0) {
          if (await onceBack(() => isOver(db, runId, last, options), ended)) return;
        }
      } else {
        await inbox.wait();
        continue;
      }
      for (const event of events) {
        if (event.seq <= last) continue;
        last = event.seq;
        yield event;
        throwIfEnded();
        if (event.type === 'state' && (await onceBack(() => isLast(db, runId, event, options), ended))) return;
      }
    }
  } finally {
    unsubscribe();
    clearInterval(polls);
    for (const one of signals) one.removeEventListener('abort', onEnd);
  }
}

/** Whether nothing comes after what a follower knows. Throws StudioError `not_found` once the run is deleted. */
async function isOver(
  { query }: Database,
  runId: string,
  last: number,
  { pastQuestions = false }: FollowOptions,
): Promise<boolean> {
  const row = await query
    .selectFrom('agent_runs')
    .select(['state', 'last_seq'])
    .where('id', '=', runId)
    .executeTakeFirst();
  if (row === undefined) throw new StudioError('not_found', 'There is no such run');
  return last >= row.last_seq && (hasEnded(row.state) || (row.state === 'input-required' && !pastQuestions));
}
