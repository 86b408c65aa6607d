export const HOUR_MS = 3_600_000;

/**
 * Does work now and every so often, one after the other; the process may end meanwhile. Returns a function that stops it and resolves
 * once what is under way has ended; safe to repeat.
 */
export function repeat(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let working: Promise<void> = Promise.resolve();
  const begin = () => {
    working = working.then(work);
  };
  begin();
  const timer = setInterval(begin, everyMs).unref();
  return () => {
    clearInterval(timer);
    return working;
  };
}
