/** An event of a log, which has its number in it. */
export interface LogEvent {
  readonly seq: number;
}

/** Whoever follows a log, in this process. */
export interface Listener<E extends LogEvent> {
  /** Events that are written, in order, but not from the first on. */
  events(events: readonly E[]): void;
  /** The database may hold events that were not published here. */
  markStale(): void;
}

/** Events of a log that begins: whoever began it follows it within moments, and need not ask the database. */
const MAX_REMEMBERED = 8;

/** Subscriptions to logs in this process, by the id of what they are of, and a short cache of their events. */
export interface LogHub<E extends LogEvent> {
  add(id: string, listener: Listener<E>): () => void;
  /** Passes written events on to the subscribers of a log. */
  publish(id: string, events: readonly E[]): void;
  /** Caches all events of a log from its first one on, until it is forgotten or has too many. `events`: those written so far. */
  remember(id: string, events: readonly E[]): void;
  forget(id: string): void;
  /** All events of a log that are written; null where only the database knows. */
  all(id: string): readonly E[] | null;
  /** Marks subscribers stale, because another process wrote, or bus messages may have been missed (null: all logs). */
  invalidate(id: string | null): void;
}

export function createLogHub<E extends LogEvent>(): LogHub<E> {
  const listeners = new Map<string, Set<Listener<E>>>();
  const begun = new Map<string, readonly E[]>();
  const of = (id: string) => listeners.get(id) ?? [];
  return {
    add(id, listener) {
      const set = listeners.get(id) ?? new Set();
      listeners.set(id, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(id) === set) listeners.delete(id);
      };
    },
    publish(id, events) {
      const before = begun.get(id);
      if (before !== undefined) {
        if (before.length + events.length > MAX_REMEMBERED) begun.delete(id);
        else begun.set(id, [...before, ...events]);
      }
      for (const listener of of(id)) listener.events(events);
    },
    remember(id, events) {
      if (events.length > 0) begun.set(id, events);
    },
    forget: (id) => void begun.delete(id),
    all: (id) => begun.get(id) ?? null,
    invalidate(id) {
      for (const set of id === null ? listeners.values() : [of(id)]) for (const one of set) one.markStale();
    },
  };
}
