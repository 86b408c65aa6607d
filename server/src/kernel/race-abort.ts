/**
 * What the work resolves with, or the signal's reason where that comes first: for work that cannot be ended, or may not listen. Nothing
 * is begun where the signal has aborted already. What becomes of the work afterwards is not heard of.
 */
export async function raceAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    // The race takes what is rejected later.
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
