import type { RunEvent } from '@ai-studio/contract/agents/run.ts';

/** Whoever follows a run, in this process. */
export interface Listener {
  /** Events that are written, in order, but not from the first on. */
  events(events: readonly RunEvent[]): void;
  /** The database may hold events that were not published here. */
  markStale(): void;
}

/** Events of a run that begins: whoever began it follows it within moments, and need not ask the database. */
const MAX_REMEMBERED = 8;

/** Subscriptions to runs in this process, and a short cache of their events. */
export interface Hub {
  add(runId: string, listener: Listener): () => void;
  /** Passes written events on to the subscribers of a run. */
  publish(runId: string, events: readonly RunEvent[]): void;
  /** Caches all events of a run from its first one on, until the run is forgotten or has too many. `events`: those written so far. */
  remember(runId: string, events: readonly RunEvent[]): void;
  forget(runId: string): void;
  /** All events of a run that are written; null where only the database knows. */
  all(runId: string): readonly RunEvent[] | null;
  /** Marks subscribers stale, because another process wrote, or bus messages may have been missed (null: all runs). */
  invalidate(runId: string | null): void;
}

export function createHub(): Hub {
  const listeners = new Map<string, Set<Listener>>();
  const begun = new Map<string, readonly RunEvent[]>();
  const of = (runId: string) => listeners.get(runId) ?? [];
  return {
    add(runId, listener) {
      const set = listeners.get(runId) ?? new Set();
      listeners.set(runId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(runId) === set) listeners.delete(runId);
      };
    },
    publish(runId, events) {
      const before = begun.get(runId);
      if (before !== undefined) {
        if (before.length + events.length > MAX_REMEMBERED) begun.delete(runId);
        else begun.set(runId, [...before, ...events]);
      }
      for (const listener of of(runId)) listener.events(events);
    },
    remember(runId, events) {
      if (events.length > 0) begun.set(runId, events);
    },
    forget: (runId) => void begun.delete(runId),
    all: (runId) => begun.get(runId) ?? null,
    invalidate(runId) {
      for (const set of runId === null ? listeners.values() : [of(runId)]) for (const one of set) one.markStale();
    },
  };
}
