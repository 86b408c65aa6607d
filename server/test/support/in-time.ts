/** Nothing that a test waits for takes so long; the limit of the test itself would not say which part is wrong. */
const TIMEOUT_MS = 150_000;

/** Fails with what it was when it takes too long. */
export async function inTime<T>(what: string, work: Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} took longer than ${timeoutMs / 1_000} s`)), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
