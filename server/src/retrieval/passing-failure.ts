import { setTimeout as sleep } from 'node:timers/promises';
import type { StudioError } from '../kernel/errors.ts';
import { isDatabaseUnavailable } from '../ports/database.ts';
import { toStudioError } from '../ports/failure.ts';

// Work of the background that asks models waits where one is away, or has too much to do.

/** Tries of one question to a model. */
const MAX_TRIES = 20;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** The longest that a failure may ask for: a server may say anything, and timers hold no more than some weeks. */
const MAX_ASKED_PAUSE_MS = 3_600_000;

/** A failure that may be gone after a while. */
const isPassing = ({ code }: StudioError) => code === 'rate_limited' || code === 'unavailable';

/** How long to wait before the next try, in milliseconds: as the failure says, and longer each time. */
const pauseAfter = ({ retryAfterSeconds = 0 }: StudioError, tries: number) =>
  Math.max(
    Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)),
    Math.min(MAX_ASKED_PAUSE_MS, retryAfterSeconds * 1000),
  );

/**
 * Does the work, again while what it needs is away or has too much to do. Rejects with StudioError, with the database being away, and with the reason
 * of the signal.
 */
export async function untilItPasses<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (isDatabaseUnavailable(error)) throw error;
      const failure = toStudioError(error);
      if (!isPassing(failure) || tries >= MAX_TRIES) throw failure;
      await sleep(pauseAfter(failure, tries), undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
    }
  }
}
