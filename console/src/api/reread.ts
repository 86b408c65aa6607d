import { ApiError } from './error.ts';

/** Whether a retry may help: network errors, and a service that is busy or starting (5xx from 502 on). */
export const isTransient = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502);

const REREAD_MS = 5_000;

/** A query, as far as a failure shows in it. */
interface FailedQuery {
  readonly state: { readonly status: string; readonly error: unknown };
}

/**
 * Milliseconds until a query that failed is tried again by itself, so that a page recovers once the service is back; false where
 * that would not help.
 */
export const rereadDelay = ({ state: { status, error } }: FailedQuery): number | false =>
  status === 'error' && isTransient(error) ? REREAD_MS : false;
