import type { Logger } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLogEntry } from '../http-kit/request-log-entry.ts';
import { toStudioError } from '../ports/failure.ts';

/** Routes that are polled every few seconds: their successes are logged at `debug`. */
const polledRoutes: ReadonlySet<string> = new Set(['livez', 'readyz', 'metrics']);

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** What the requests of one caller have in common. */
type Alike = Pick<RequestLogEntry, 'route' | 'status' | 'keyId' | 'tenantId' | 'model' | 'stream'>;

const isAlike = (a: Alike, b: Alike): boolean =>
  a.keyId === b.keyId &&
  a.model === b.model &&
  a.status === b.status &&
  a.route === b.route &&
  a.stream === b.stream &&
  a.tenantId === b.tenantId;

/** Loggers that are kept; others take the place of the oldest. */
const MAX_KEPT = 64;

/** Loggers whose lines say what requests have in common, which is written once for many of them. */
function createLoggers(log: Logger): (entry: Alike) => Logger {
  const kept: { readonly of: Alike; readonly log: Logger }[] = [];
  let next = 0;
  return (entry) => {
    for (const one of kept) if (isAlike(one.of, entry)) return one.log;
    const { route, status, keyId, tenantId, model, stream } = entry;
    const of = { route, status, keyId, tenantId, model, stream };
    const made = { of, log: log.child(of) };
    kept[next] = made;
    next = (next + 1) % MAX_KEPT;
    return made.log;
  };
}

/** One log line and one measurement a request. */
export function createRequestObserver(log: Logger, metrics: Metrics) {
  const loggerOf = createLoggers(log);
  return (entry: RequestLogEntry): void => {
    const { requestId, requestBytes, responseBytes, durationMs, firstTokenMs, error } = entry;
    metrics.request(entry);
    const own = loggerOf(entry);
    const write = polledRoutes.has(entry.route) && entry.status < 400 ? own.debug : own.info;
    write(
      {
        requestId,
        requestBytes,
        responseBytes,
        durationMs: tenths(durationMs),
        firstTokenMs: firstTokenMs === null ? undefined : tenths(firstTokenMs),
        reason: error ? toStudioError(error).message : undefined,
      },
      'request',
    );
  };
}
export type RequestObserver = ReturnType<typeof createRequestObserver>;
