import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../ports/database.ts';

const PAUSE_MS = 500;

/**
 * Does `work`, and does it again for as long as it fails because the database is away: for outcomes that must not be lost. Rejects with
 * other failures of it, and with the reason of the signal where that ends the waiting.
 */
export async function onceBack<T>(work: () => Promise<T>, signal: AbortSignal, pauseMs = PAUSE_MS): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
    }
  }
}
