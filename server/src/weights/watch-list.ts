import type { Logger } from '../kernel/log.ts';
import type { Bus } from '../ports/bus.ts';

/** Rows as they are now, in memory. */
export interface WatchedList<T> {
  list(): readonly T[];
  /** Reads them now; rejects where the database is away. */
  reread(): Promise<void>;
  /** Returns what ends that. */
  onChange(listener: () => void): () => void;
  /** Safe to repeat. */
  close(): Promise<void>;
}

export interface WatchOptions<T> {
  readonly bus: Bus;
  readonly log: Logger;
  /** Whoever changes the rows tells it here. */
  readonly channel: string;
  readonly read: () => Promise<readonly T[]>;
  /** What they are, for the log. */
  readonly what: string;
}

/** Reads the rows, and again whenever somebody changed them. */
export async function watchList<T>({ bus, log, channel, read, what }: WatchOptions<T>): Promise<WatchedList<T>> {
  const listeners = new Set<() => void>();
  let rows: readonly T[] = [];
  const reread = async () => {
    rows = await read();
    for (const listener of listeners) listener();
  };
  const onMessage = () =>
    void reread().catch((error: unknown) => log.error({ err: error }, `${what} could not be read`));
  const unsubscribe = await bus.subscribe(channel, onMessage, onMessage);
  await reread();
  return {
    list: () => rows,
    reread,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await unsubscribe();
    },
  };
}
