import type { ServerResponse } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/** Maximum number of concurrent calls of a person in one process. A page has a few, streams included. */
const MAX_CONCURRENCY = 100;
/** Interval at which the access to a running stream is checked. */
const CHECK_INTERVAL_MS = 5_000;

/** Resolves with an error where a person has lost access; else with null. */
type FindAccessError = () => Promise<StudioError | null>;

/** Running calls by person. */
interface OpenCalls {
  /** Counts a call until its reply has ended. Throws StudioError `rate_limited`. */
  trackCall(userId: string, response: ServerResponse): void;
  /**
   * Returns a signal that aborts when the client disconnects before the reply is complete, and, with the reason, once the person loses
   * access: streams end with the session. Access is checked every few seconds, and immediately after {@link OpenCalls.recheckAccess}.
   */
  follow(userId: string, response: ServerResponse, findAccessError: FindAccessError): AbortSignal;
  /** Checks access again after a change for a person; for everybody with null. */
  recheckAccess(userId: string | null): void;
}

export function createOpenCalls(): OpenCalls {
  const openCounts = new Map<string, number>();
  const checksByUser = new Map<string, Set<() => void>>();
  return {
    trackCall(userId, response) {
      // Nothing would reduce the count again.
      if (response.closed) return;
      const count = openCounts.get(userId) ?? 0;
      if (count >= MAX_CONCURRENCY)
        throw new StudioError('rate_limited', `More than ${MAX_CONCURRENCY} calls of yours are under way`, {
          retryAfterSeconds: 1,
        });
      openCounts.set(userId, count + 1);
      response.once('close', () => {
        const remaining = (openCounts.get(userId) ?? 1) - 1;
        if (remaining > 0) openCounts.set(userId, remaining);
        else openCounts.delete(userId);
      });
    },
    follow(userId, response, findAccessError) {
      const controller = disconnectController(response);
      if (response.closed) return controller.signal;
      const checkAccess = () =>
        void findAccessError().then((accessError) => {
          if (accessError) controller.abort(accessError);
        });
      const timer = setInterval(checkAccess, CHECK_INTERVAL_MS).unref();
      const checks = checksByUser.get(userId) ?? new Set();
      checksByUser.set(userId, checks.add(checkAccess));
      response.once('close', () => {
        clearInterval(timer);
        checks.delete(checkAccess);
        if (checks.size === 0 && checksByUser.get(userId) === checks) checksByUser.delete(userId);
      });
      return controller.signal;
    },
    recheckAccess(userId) {
      const all = userId === null ? [...checksByUser.values()] : [checksByUser.get(userId) ?? []];
      for (const checks of all) for (const checkAccess of checks) checkAccess();
    },
  };
}

function disconnectController(response: ServerResponse): AbortController {
  const controller = new AbortController();
  const abortIfUnfinished = () => {
    if (!response.writableFinished) controller.abort();
  };
  // The client may have disconnected during authentication.
  if (response.closed) abortIfUnfinished();
  else response.once('close', abortIfUnfinished);
  return controller;
}

/** Returns a signal that aborts when the client disconnects before the reply is complete. */
export const abortOnDisconnect = (response: ServerResponse): AbortSignal => disconnectController(response).signal;
