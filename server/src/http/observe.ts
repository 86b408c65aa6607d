import type { Logger } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLogEntry } from '../http-kit/request-log-entry.ts';
import { toStudioError } from '../ports/failure.ts';

/** Routes that are polled every few seconds: their successes are logged at `debug`. */
const polledRoutes: ReadonlySet<string> = new Set(['livez', 'readyz', 'metrics']);

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** What the requests of one caller have in common. */
type Alike = Pick<RequestLogEntry, 'route' | 'status' | 'keyId' | 'tenantId' | 'model' | 'stream'>;

/** The same text for what is alike: the names of models, which may hold anything, come last. */
const keyOf = ({ route, status, keyId, tenantId, model, stream }: Alike): string =>
  `${route} ${status} ${stream} ${keyId ?? ''} ${tenantId ?? ''} ${model ?? ''}`;

/** Whether two have the same text: mostly by the same strings, which takes less than to make it. */
const isAlike = (a: Alike, b: Alike): boolean =>
  a.model === b.model &&
  a.keyId === b.keyId &&
  a.tenantId === b.tenantId &&
  a.route === b.route &&
  a.status === b.status &&
  a.stream === b.stream;

/** Loggers that are kept; others take the place of the one that was used longest ago. */
const MAX_KEPT = 64;

/** Loggers whose lines say what requests have in common, which is written once for many of them. */
function createLoggers(log: Logger): (entry: Alike) => Logger {
  const kept = new Map<string, Logger>();
  let newest: { readonly alike: Alike; readonly own: Logger } | null = null;
  return (entry) => {
    if (newest !== null && isAlike(newest.alike, entry)) return newest.own;
    const { route, status, keyId, tenantId, model, stream } = entry;
    const alike = { route, status, keyId, tenantId, model, stream };
    const key = keyOf(alike);
    let own = kept.get(key);
    if (own === undefined) {
      own = log.child(alike);
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    } else kept.delete(key);
    kept.set(key, own);
    newest = { alike, own };
    return own;
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
