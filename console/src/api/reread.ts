import { ApiError } from './error.ts';

/** Whether a retry may help: network errors, and a service that is busy or starting (5xx from 502 on). */
export const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

const REREAD_MS = 5_000;

/** A query, as far as a failure shows in it. */
interface FailedQuery {
  readonly state: { readonly status: string; readonly error: unknown };
}

/**
 * Milliseconds until a query that failed is tried again by itself, so that a page recovers once the service is back: some seconds, or
 * what the service asked for; false where that would not help.
 */
export function rereadDelay({ state: { status, error } }: FailedQuery): number | false {
  if (status !== 'error' || !isTransient(error)) return false;
  return Math.max(REREAD_MS, (error.retryAfterSeconds ?? 0) * 1_000);
}
