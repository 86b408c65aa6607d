import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveCatalogue } from '../models/catalogue.ts';

/** Maximum time that a reply waits for this process to apply a change. */
const TIMEOUT_MS = 2_000;

/** Resolves once a condition on the catalogue of this process is true, or after a timeout. */
export async function waitForCatalogue(catalogue: LiveCatalogue, isTrue: () => boolean): Promise<void> {
  const timeoutController = new AbortController();
  const changed = Promise.withResolvers<void>();
  const stop = catalogue.onChange(() => {
    if (isTrue()) changed.resolve();
  });
  if (isTrue()) changed.resolve();
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: timeoutController.signal, ref: false }).catch(() => undefined);
  await Promise.race([changed.promise, timeout]);
  stop();
  timeoutController.abort();
}
