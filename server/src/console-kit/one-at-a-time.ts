import { StudioError } from '../kernel/errors.ts';

/** Does the work of each subject one after the other, in the order in which it came. */
type OneAtATime = <T>(subject: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * For work that may keep a connection of the database busy for long: nobody takes more than one of them. Rejects with
 * StudioError `client_closed` for whom nobody waits any more when their turn comes.
 */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (subject, signal, work) => {
    const before = last.get(subject) ?? Promise.resolve();
    const mine = before
      .catch(() => undefined)
      .then(() => {
        if (signal.aborted) throw new StudioError('client_closed', 'Nobody waits for it any more');
        return work();
      });
    last.set(subject, mine);
    try {
      return await mine;
    } finally {
      if (last.get(subject) === mine) last.delete(subject);
    }
  };
}
