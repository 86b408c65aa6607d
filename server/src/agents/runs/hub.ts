import type { RunEvent } from '@ai-studio/contract/agents/run.ts';

/** Whoever follows a run, in this process. */
export interface Listener {
  /** Events that are written, in order, but not from the first on. */
  events(events: readonly RunEvent[]): void;
  /** There may be more in the database than was told. */
  look(): void;
}

/** Who follows which run in this process. */
export interface Hub {
  add(runId: string, listener: Listener): () => void;
  tell(runId: string, events: readonly RunEvent[]): void;
  /** Another process wrote, or messages may have been missed (null: of any run). */
  poke(runId: string | null): void;
}

export function createHub(): Hub {
  const listeners = new Map<string, Set<Listener>>();
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
    tell(runId, events) {
      for (const listener of of(runId)) listener.events(events);
    },
    poke(runId) {
      for (const set of runId === null ? listeners.values() : [of(runId)]) for (const one of set) one.look();
    },
  };
}
