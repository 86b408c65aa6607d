import type { Logger } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';
import type { Observed } from './observed.ts';
import { toStudioError } from './failures.ts';

/** One log line and one measurement a request. */
export function createObserve(log: Logger, metrics: Metrics) {
  return (seen: Observed): void => {
    const { error, durationMs, firstTokenMs, ...rest } = seen;
    metrics.request(seen);
    log.info(
      {
        ...rest,
        durationMs: Math.round(durationMs * 10) / 10,
        ...(firstTokenMs === null ? {} : { firstTokenMs: Math.round(firstTokenMs * 10) / 10 }),
        ...(error ? { reason: toStudioError(error).message } : {}),
      },
      'request',
    );
  };
}
export type Observe = ReturnType<typeof createObserve>;
