import type { Logger } from '../../kernel/log.ts';

/** Time for closing everything, beyond the grace that open answers have. */
const END_TIMEOUT_MS = 30_000;

/**
 * Sees to it that the process ends: what is closed by then is closed, and what still is open waits for something that may never come.
 * An operator's supervisor would otherwise wait for a process that serves nobody. `before` is called last.
 */
export function endForSure(
  log: Pick<Logger, 'error'>,
  graceMs: number,
  before: () => void,
  timeoutMs = END_TIMEOUT_MS,
): void {
  const end = () => {
    log.error({ open: process.getActiveResourcesInfo() }, 'the service did not end by itself in time and was ended');
    before();
    process.exit(process.exitCode ?? 1);
  };
  setTimeout(end, graceMs + timeoutMs).unref();
}
