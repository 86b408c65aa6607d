import type { Logger } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLogEntry } from '../http-kit/request-log-entry.ts';
import { toStudioError } from '../ports/failure.ts';

/** Routes that are polled every few seconds: their successes are logged at `debug`. */
const polledRoutes: ReadonlySet<string> = new Set(['livez', 'readyz', 'metrics']);

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** One log line and one measurement a request. */
export function createRequestObserver(log: Logger, metrics: Metrics) {
  return (entry: RequestLogEntry): void => {
    const { requestId, route, status, keyId, tenantId, model, stream, durationMs, firstTokenMs, error } = entry;
    metrics.request(entry);
    const write = polledRoutes.has(route) && status < 400 ? log.debug : log.info;
    write(
      {
        requestId,
        route,
        status,
        keyId,
        tenantId,
        model,
        stream,
        requestBytes: entry.requestBytes,
        responseBytes: entry.responseBytes,
        durationMs: tenths(durationMs),
        firstTokenMs: firstTokenMs === null ? undefined : tenths(firstTokenMs),
        reason: error ? toStudioError(error).message : undefined,
      },
      'request',
    );
  };
}
export type RequestObserver = ReturnType<typeof createRequestObserver>;
