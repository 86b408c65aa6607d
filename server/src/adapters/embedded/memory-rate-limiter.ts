import { rateLimits } from '../../kernel/rate-limits.ts';
import type { RateLimiter } from '../../ports/rate-limiter.ts';
import { exceedsLimit, zeroUsage, rateState, WINDOW_MS, type RateWindow } from '../rate-window.ts';

/** Subjects whose window is over are forgotten this often. */
const SWEEP_MS = 5 * WINDOW_MS;

/**
 * Counts in this process's memory, a window of a minute for each subject that begins with its first request.
 */
export function createMemoryRateLimiter(now: () => number): RateLimiter {
  const windows = new Map<string, RateWindow>();
  const sweep = setInterval(() => {
    const before = now() - WINDOW_MS;
    for (const [subject, window] of windows) if (window.startedMs <= before) windows.delete(subject);
  }, SWEEP_MS).unref();

  const windowOf = (subject: string, at: number): RateWindow => {
    let window = windows.get(subject);
    if (!window) windows.set(subject, (window = { startedMs: at, used: zeroUsage() }));
    else if (at - window.startedMs >= WINDOW_MS) {
      window.startedMs = at;
      window.used = zeroUsage();
    }
    return window;
  };

  return {
    reserve(subject, limits, amounts) {
      const at = now();
      const window = windowOf(subject, at);
      const full = exceedsLimit(window, limits, amounts);
      if (!full) for (const name of rateLimits) window.used[name] += amounts[name];
      return rateState(window, limits, !full, at);
    },
    settle(subject, _limits, changes, mark) {
      const window = windows.get(subject);
      if (window?.startedMs !== mark) return;
      for (const name of rateLimits) window.used[name] = Math.max(0, window.used[name] + changes[name]);
    },
    close() {
      clearInterval(sweep);
      return Promise.resolve();
    },
  };
}
