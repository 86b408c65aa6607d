import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats the check until it passes; throws its last failure after ten seconds. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waited = performance.now() - start;
      if (waited > 10_000) throw error;
      // Less often the longer it takes, as checks may be calls that are counted.
      await sleep(Math.min(100, 10 + waited / 10));
    }
  }
}
