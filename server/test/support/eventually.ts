import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats the check until it passes; throws its last failure after ten seconds. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(10);
    }
  }
}
