import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import type { RateState } from '../ports/rate-limiter.ts';

/** A batch leaves so much of what its key may use in a minute to other calls of the key. */
const SHARE_OF_LIMITS = 0.5;
/** How often it looks whether other calls still wait for a model. */
const BUSY_POLL_MS = 250;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** When lines of a batch may begin: behind what people and programs wait for. */
export interface Pace {
  /** Resolves once a line may begin. Rejects with the reason of the signal. */
  untilFree(signal: AbortSignal): Promise<void>;
  /** Notes what is left of the limits of the key: half of them is left to others. */
  noteRate(rate: RateState): void;
}

export interface PaceDeps {
  /** Whether calls wait for a free place at a model. */
  readonly isBusy: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createPace({ isBusy, now }: PaceDeps): Pace {
  let pausedUntilMs = 0;
  return {
    async untilFree(signal) {
      for (;;) {
        signal.throwIfAborted();
        const pauseMs = Math.max(pausedUntilMs - now(), isBusy() ? BUSY_POLL_MS : 0);
        if (pauseMs <= 0) return;
        await pause(pauseMs, signal);
      }
    },
    noteRate({ limit, remaining, resetSeconds, allowed }) {
      if (limit === null || (allowed && remaining >= limit * SHARE_OF_LIMITS)) return;
      pausedUntilMs = Math.max(pausedUntilMs, now() + resetSeconds * 1000);
    },
  };
}

/** Waits. Rejects with the reason of the signal. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());

/** Whether a failure is that of the key's own limits: another window lets the line in. */
export const isOwnLimit = (error: unknown): boolean =>
  error instanceof StudioError && error.code === 'rate_limited' && !(error.cause instanceof EngineError);

/** Whether a failure may be gone after a while: the model has too much to do, or is away. Source: decisions section 1, "Not available". */
export const isPassing = (error: unknown): boolean => {
  const { code } = toStudioError(error);
  return code === 'rate_limited' || code === 'unavailable';
};

/** How long to wait before the next try, in milliseconds: as the failure says, else longer each time. `tries` were made. */
export function pauseAfter(error: unknown, tries: number): number {
  const grown = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 10));
  return Math.max(grown, (toStudioError(error).retryAfterSeconds ?? 0) * 1000);
}
