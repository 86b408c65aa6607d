import type { Logger } from '../kernel/log.ts';
import { isDatabaseAway } from '../ports/database.ts';

/**
 * A log that is told of a database that is away once, by its adapter, and not by each of the many loops that try again by themselves:
 * what they say of it is for `debug`.
 */
export function quietWhileAway(log: Logger): Logger {
  const unlessAway = (serious: Logger['warn']) => (fields: object, message: string) =>
    isDatabaseAway((fields as { readonly err?: unknown }).err) ? log.debug(fields, message) : serious(fields, message);
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: unlessAway((fields, message) => log.warn(fields, message)),
    error: unlessAway((fields, message) => log.error(fields, message)),
    child: (fields) => quietWhileAway(log.child(fields)),
  };
}
