/** Removals that wait for somebody to think better of them. */
export interface Removals {
  /** Ids of what is to be gone already, each with its group, if it has one; the same map while nothing changes. */
  readonly waiting: () => ReadonlyMap<string, string | null>;
  subscribe(listener: () => void): () => void;
  /**
   * Puts things out of sight, and does it once the time is over; `groupOf` says what lists count them among. Returns what takes it back in that time; it says whether it came in time.
   */
  begin(ids: readonly string[], remove: () => Promise<void>, groupOf?: (id: string) => string | null): () => boolean;
  /** Does all that waits now, which nobody can take back any more; resolves once it is done. Never throws. */
  finish(): Promise<void>;
}

interface Options {
  readonly graceMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Creates a place where removals wait. */
export function createRemovals({ graceMs, onFailure }: Options): Removals {
  let waiting: ReadonlyMap<string, string | null> = new Map();
  const open = new Set<() => Promise<void>>();
  const listeners = new Set<() => void>();
  const change = (next: ReadonlyMap<string, string | null>) => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  const show = (ids: readonly string[]) => change(new Map([...waiting].filter(([id]) => !ids.includes(id))));
  return {
    waiting: () => waiting,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    begin(ids, remove, groupOf = () => null) {
      change(new Map([...waiting, ...ids.map((id) => [id, groupOf(id)] as const)]));
      const act = async () => {
        if (!open.delete(act)) return;
        clearTimeout(timer);
        // It stays out of sight until the list is read again without it.
        await remove()
          .catch(onFailure)
          .finally(() => show(ids));
      };
      open.add(act);
      const timer = setTimeout(() => void act(), graceMs);
      return () => {
        if (!open.delete(act)) return false;
        clearTimeout(timer);
        show(ids);
        return true;
      };
    },
    async finish() {
      await Promise.all([...open].map((act) => act()));
    },
  };
}
