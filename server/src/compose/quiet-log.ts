import type { Logger } from '../kernel/log.ts';
import { isDatabaseUnavailable } from '../ports/database.ts';

/**
 * Returns a log that writes failures of an unreachable database at `debug`: the adapter reports the outage once, and the many loops that
 * retry by themselves need not repeat it.
 */
export function quietDuringOutages(log: Logger): Logger {
  const unlessOutage = (write: Logger['warn']) => (fields: object, message: string) =>
    isDatabaseUnavailable((fields as { readonly err?: unknown }).err)
      ? log.debug(fields, message)
      : write(fields, message);
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: unlessOutage((fields, message) => log.warn(fields, message)),
    error: unlessOutage((fields, message) => log.error(fields, message)),
    child: (fields) => quietDuringOutages(log.child(fields)),
  };
}
