import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyRecord } from '../identity/index.ts';
import type { ModelCall } from '../inference/index.ts';
import type { TenantId } from '../kernel/context.ts';
import { fromFastify } from './app.ts';
import type { RejectedRequest } from './protocol-errors.ts';
import type { RequestObserver } from './observe.ts';
import type { RequestLogEntry } from '../http-kit/request-log-entry.ts';

/** State of a request for its log line and its metrics. Routes fill it in. */
export interface RequestRecord {
  readonly startedMs: number;
  key: KeyRecord | null;
  /** Where a person asked in the console. */
  tenantId: TenantId | null;
  /** That of a key, once it was admitted: it knows the model. */
  call: Pick<ModelCall, 'model'> | null;
  /** Whether the reply was a stream of events. */
  stream: boolean;
  error: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
}

const CONSOLE = '/console/api/';

/** A short name of the route, of few values: its last fixed part; of the console's, what stands behind its prefix. */
function routeName({ routeOptions }: FastifyRequest): string {
  // A console route, as `console/me`.
  if (routeOptions.url?.startsWith(CONSOLE) === true)
    return `console/${routeOptions.url.slice(CONSOLE.length).split('/')[0]}`;
  const parts = (routeOptions.url ?? '').split('/');
  return parts.findLast((part) => part !== '' && part !== '*' && !part.startsWith(':')) ?? 'unknown';
}

const bytesOf = (length: unknown): number => Number(length ?? 0) || 0;

/** One line and one measurement for each request that Fastify answers, refused ones too. */
export function recordRequests(fastify: FastifyInstance, observe: RequestObserver, now: () => number): void {
  fastify.decorateRequest('record');
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.record = { startedMs: now(), key: null, tenantId: null, call: null, stream: false, error: null };
    done();
  });
  fastify.addHook('onError', (request, _reply, error, done) => {
    request.record.error = fromFastify(error);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { startedMs, key, tenantId, call, stream, error } = request.record;
    observe({
      requestId: request.id,
      route: routeName(request),
      status: reply.raw.writableFinished ? reply.statusCode : 499,
      keyId: key?.id ?? null,
      tenantId: key?.tenantId ?? tenantId,
      model: call?.model ?? null,
      stream,
      requestBytes: bytesOf(request.headers['content-length']),
      responseBytes: bytesOf(reply.getHeader('content-length')),
      durationMs: now() - startedMs,
      firstTokenMs: null,
      error,
    });
    done();
  });
}

/** The log entry of a request that was rejected before any route. */
export const rejectedLogEntry = (rejected: RejectedRequest): RequestLogEntry => ({
  ...rejected,
  route: 'unknown',
  keyId: null,
  tenantId: null,
  model: null,
  stream: false,
  requestBytes: 0,
  responseBytes: 0,
  durationMs: 0,
  firstTokenMs: null,
});
