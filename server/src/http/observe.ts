import type { Logger } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';
import type { Observed } from './observed.ts';
import { toStudioError } from '../ports/failure.ts';

/** Routes that machines ask every few seconds: their good answers are no news. */
const quiet: ReadonlySet<string> = new Set(['livez', 'readyz', 'metrics']);

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** One log line and one measurement a request. */
export function createObserve(log: Logger, metrics: Metrics) {
  return (seen: Observed): void => {
    const { requestId, route, status, keyId, tenantId, model, stream, durationMs, firstTokenMs, error } = seen;
    metrics.request(seen);
    const write = quiet.has(route) && status < 400 ? log.debug : log.info;
    write(
      {
        requestId,
        route,
        status,
        keyId,
        tenantId,
        model,
        stream,
        requestBytes: seen.requestBytes,
        responseBytes: seen.responseBytes,
        durationMs: tenths(durationMs),
        firstTokenMs: firstTokenMs === null ? undefined : tenths(firstTokenMs),
        reason: error ? toStudioError(error).message : undefined,
      },
      'request',
    );
  };
}
export type Observe = ReturnType<typeof createObserve>;
