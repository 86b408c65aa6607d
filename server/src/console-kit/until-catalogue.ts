import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveCatalogue } from '../models/catalogue.ts';

/** How long an answer waits for this process to have taken a change in. */
const TIMEOUT_MS = 2_000;

/** Resolves when something holds of the catalogue of this process, or after a while. */
export async function untilCatalogue(catalogue: LiveCatalogue, holds: () => boolean): Promise<void> {
  const waiting = new AbortController();
  const changed = Promise.withResolvers<void>();
  const stop = catalogue.onChange(() => {
    if (holds()) changed.resolve();
  });
  if (holds()) changed.resolve();
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([changed.promise, timeout]);
  stop();
  waiting.abort();
}
