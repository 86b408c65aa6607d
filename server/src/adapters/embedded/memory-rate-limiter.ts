import type { RateLimiter } from '../../ports/rate-limiter.ts';
import { rateState, WINDOW_MS, type RateWindow } from '../rate-window.ts';

/** Subjects whose window is over are forgotten this often. */
const SWEEP_MS = 5 * WINDOW_MS;

/**
 * Counts in this process's memory, a window of a minute for each subject that begins with its first request.
 * A single request of more tokens than the whole limit is let pass in a fresh window: it could never run otherwise.
 */
export function createMemoryRateLimiter(now: () => number): RateLimiter {
  const windows = new Map<string, RateWindow>();
  const sweep = setInterval(() => {
    const before = now() - WINDOW_MS;
    for (const [subject, window] of windows) if (window.startedMs <= before) windows.delete(subject);
  }, SWEEP_MS).unref();

  const windowOf = (subject: string, at: number): RateWindow => {
    let window = windows.get(subject);
    if (!window) windows.set(subject, (window = { startedMs: at, requests: 0, tokens: 0 }));
    else if (at - window.startedMs >= WINDOW_MS) {
      window.startedMs = at;
      window.requests = 0;
      window.tokens = 0;
    }
    return window;
  };

  return {
    reserve(subject, limits, tokens) {
      const at = now();
      const window = windowOf(subject, at);
      const { requestsPerMinute, tokensPerMinute } = limits;
      const full =
        (requestsPerMinute !== null && window.requests >= requestsPerMinute) ||
        (tokensPerMinute !== null &&
          (window.tokens >= tokensPerMinute || (window.tokens > 0 && window.tokens + tokens > tokensPerMinute)));
      if (!full) {
        window.requests++;
        window.tokens += tokens;
      }
      return rateState(window, limits, !full, at);
    },
    settle(subject, _limits, tokens, mark) {
      const window = windows.get(subject);
      if (window?.startedMs === mark) window.tokens = Math.max(0, window.tokens + tokens);
    },
    close() {
      clearInterval(sweep);
      return Promise.resolve();
    },
  };
}
