import type { Logger } from '../../src/kernel/log.ts';

/** A log that says nothing. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};
