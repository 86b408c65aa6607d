import { setTimeout as sleep } from 'node:timers/promises';

/** Far beyond what anything takes on a machine that has other work: only what never comes meets it. */
const TIMEOUT_MS = 90_000;

/** Repeats the check until it passes; throws its last failure when it has not after a minute and a half. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waited = performance.now() - start;
      if (waited > timeoutMs) throw error;
      // Less often the longer it takes, as checks may be calls that are counted.
      await sleep(Math.min(100, 10 + waited / 10));
    }
  }
}
