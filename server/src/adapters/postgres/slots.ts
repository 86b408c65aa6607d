import { databaseUnavailable } from '../../ports/database.ts';

/** The connections that a process may have at the same time. */
export interface Slots {
  /** Takes one, in the order of asking. Rejects with `databaseUnavailable` where none gets free in time. */
  acquire(): Promise<void>;
  release(): void;
}

export function createSlots(size: number, timeoutMs: number): Slots {
  const waiting = new Set<() => void>();
  let free = size;
  return {
    acquire() {
      if (free > 0) {
        free--;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const next = () => {
          clearTimeout(timeout);
          resolve();
        };
        const timeout = setTimeout(() => {
          waiting.delete(next);
          const cause = new Error(`none of ${size} connections was free within ${timeoutMs} ms`);
          reject(databaseUnavailable(cause, 'The database has too much to do; try again'));
        }, timeoutMs);
        waiting.add(next);
      });
    },
    release() {
      const [next] = waiting;
      if (next === undefined) free++;
      else {
        waiting.delete(next);
        next();
      }
    },
  };
}
