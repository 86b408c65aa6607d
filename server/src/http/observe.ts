import type { Logger } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';
import { toStudioError } from './failures.ts';

/** What is logged and measured of a request. */
export interface Observed {
  readonly requestId: string;
  /** Name of the route, such as `chat`: of few values, fit for a label. */
  readonly route: string;
  /** 499 where the client went away before it was answered. */
  readonly status: number;
  readonly keyId: string | null;
  readonly tenantId: string | null;
  readonly model: string | null;
  readonly stream: boolean;
  readonly durationMs: number;
  readonly firstTokenMs: number | null;
  readonly error: unknown;
}

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
