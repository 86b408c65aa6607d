import { StudioError } from '../kernel/errors.ts';

/** Runs the work of each subject sequentially, in order of arrival. */
type KeyedQueue = <T>(subject: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * For work that may occupy a database connection for long: nobody uses more than one of them. Rejects with
 * StudioError `client_closed` where the caller is gone when its turn comes.
 */
export function createKeyedQueue(): KeyedQueue {
  const lastWork = new Map<string, Promise<unknown>>();
  return async (subject, signal, work) => {
    const previous = lastWork.get(subject) ?? Promise.resolve();
    const current = previous
      .catch(() => undefined)
      .then(() => {
        if (signal.aborted) throw new StudioError('client_closed', 'Nobody waits for it any more');
        return work();
      });
    lastWork.set(subject, current);
    try {
      return await current;
    } finally {
      if (lastWork.get(subject) === current) lastWork.delete(subject);
    }
  };
}
