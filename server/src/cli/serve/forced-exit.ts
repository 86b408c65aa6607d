import type { Logger } from '../../kernel/log.ts';

/** Time to close everything, beyond the grace period of open responses. */
const SHUTDOWN_TIMEOUT_MS = 30_000;

/**
 * Exits the process if it is still running after the grace period and a timeout: a resource that never closes must not keep a supervisor
 * waiting for a process that serves nobody. `before` is called last.
 */
export function scheduleForcedExit(
  log: Pick<Logger, 'error'>,
  graceMs: number,
  before: () => void,
  timeoutMs = SHUTDOWN_TIMEOUT_MS,
): void {
  const end = () => {
    log.error({ open: process.getActiveResourcesInfo() }, 'shutdown timed out; exiting');
    before();
    process.exit(process.exitCode ?? 1);
  };
  setTimeout(end, graceMs + timeoutMs).unref();
}
