import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveCatalogue } from '../models/catalogue.ts';

/** How long an answer waits for this process to have taken a change in. */
const TIMEOUT_MS = 2_000;

/** Resolves when something holds that is told of by `listen`, or after a while. */
export async function untilNotified(listen: (listener: () => void) => () => void, holds: () => boolean): Promise<void> {
  const waiting = new AbortController();
  const told = Promise.withResolvers<void>();
  const stop = listen(() => {
    if (holds()) told.resolve();
  });
  if (holds()) told.resolve();
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([told.promise, timeout]);
  stop();
  waiting.abort();
}

/** The same for the catalogue of this process. */
export const untilCatalogue = (catalogue: LiveCatalogue, holds: () => boolean): Promise<void> =>
  untilNotified((listener) => catalogue.onChange(listener), holds);
