import { platform, setPriority } from 'node:os';

/** Of what nobody waits for: on a full machine it has a tenth of the time of what answers requests, on an idle one all. Source: nice(1), 0 to 19. */
const BACKGROUND_NICENESS = 10;

/**
 * Has other threads go before the one that calls it. On Linux alone, where a thread has a priority of its own: elsewhere it would be that of the whole
 * process. Never throws: without it work is done all the same.
 */
export function lowerThreadPriority(niceness: number = BACKGROUND_NICENESS): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(niceness);
  } catch {
    // A sandbox may forbid it.
  }
}
