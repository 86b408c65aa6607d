import type { LogEvent, LogHub } from './log-hub.ts';
import { onceBack } from './once-back.ts';

/** Events that are buffered for a slow reader; further ones are read from the database. */
const MAX_BUFFERED = 1_000;
/** How often the database is polled for events of other processes whose bus message was missed. */
const POLL_MS = 3_000;

interface FollowDeps<E extends LogEvent> {
  readonly hub: LogHub<E>;
  /** Ends all following. */
  readonly closing: AbortSignal;
}

/** A log as the database has it. */
export interface LogSource<E extends LogEvent> {
  /** Events after a number, in order; `mayHaveMore` where they are not all. */
  read(after: number): Promise<{ readonly events: readonly E[]; readonly mayHaveMore: boolean }>;
  /** Whether nothing comes after this event. */
  isLast(event: E): Promise<boolean> | boolean;
  /** Whether nothing comes after what a follower knows. Rejects with StudioError `not_found` once the log is deleted. */
  isOver(last: number): Promise<boolean>;
}

/** Events of a log that one follower has received and not read yet. */
class Inbox<E extends LogEvent> {
  buffered: E[] = [];
  /** Whether events must be read from the database. */
  stale = true;
  #wake: () => void = () => undefined;

  /** All that is written so far: the database need not be asked. */
  begin(events: readonly E[]): void {
    this.buffered = [...events];
    this.stale = false;
  }

  events(events: readonly E[]): void {
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

/** The events of a log after `after`, each once, in order, until the last; waits where the database is away. Throws the signals' reasons. */
export async function* followLog<E extends LogEvent>(
  { hub, closing }: FollowDeps<E>,
  id: string,
  source: LogSource<E>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<E, void> {
  const inbox = new Inbox<E>();
  const unsubscribe = hub.add(id, inbox);
  const all = hub.all(id);
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
      let events: readonly E[];
      if (inbox.buffered.length > 0 && (inbox.buffered[0]?.seq ?? 0) <= last + 1) {
        events = inbox.buffered.filter(({ seq }) => seq > last);
        inbox.buffered = [];
      } else if (inbox.stale || inbox.buffered.length > 0) {
        inbox.stale = false;
        const page = await onceBack(() => source.read(last), ended);
        ({ events } = page);
        // What was told of meanwhile may be among them; what is not is read with the next page.
        if (page.mayHaveMore) inbox.stale = true;
        else if (events.length === 0) {
          if (await onceBack(() => source.isOver(last), ended)) return;
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
        if (await onceBack(async () => source.isLast(event), ended)) return;
      }
    }
  } finally {
    unsubscribe();
    clearInterval(polls);
    for (const one of signals) one.removeEventListener('abort', onEnd);
  }
}
