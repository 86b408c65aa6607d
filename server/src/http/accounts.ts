import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyRecord } from '../identity/index.ts';
import { type Refused, fromFastify } from './app.ts';
import type { Observe } from './observe.ts';
import type { Observed } from './observed.ts';

/** What is known of a request, for its line in the log and its measurement. Routes add what they learn. */
export interface Account {
  readonly startedMs: number;
  key: KeyRecord | null;
  model: string | null;
  error: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    account: Account;
  }
}

/** A short name of the route, of few values: its last fixed part. */
function routeName({ routeOptions }: FastifyRequest): string {
  const parts = (routeOptions.url ?? '').split('/');
  return parts.findLast((part) => part !== '' && part !== '*' && !part.startsWith(':')) ?? 'unknown';
}

const bytesOf = (length: unknown): number => Number(length ?? 0) || 0;

/** One line and one measurement for each request that Fastify answers, refused ones too. */
export function keepAccounts(fastify: FastifyInstance, observe: Observe, now: () => number): void {
  fastify.decorateRequest('account');
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.account = { startedMs: now(), key: null, model: null, error: null };
    done();
  });
  fastify.addHook('onError', (request, _reply, error, done) => {
    request.account.error = fromFastify(error);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { startedMs, key, model, error } = request.account;
    observe({
      requestId: request.id,
      route: routeName(request),
      status: reply.raw.writableFinished ? reply.statusCode : 499,
      keyId: key?.id ?? null,
      tenantId: key?.tenantId ?? null,
      model,
      stream: false,
      requestBytes: bytesOf(request.headers['content-length']),
      responseBytes: bytesOf(reply.getHeader('content-length')),
      durationMs: now() - startedMs,
      firstTokenMs: null,
      error,
    });
    done();
  });
}

/** What there is to say of a request that no route has had. */
export const observedRefusal = (refused: Refused): Observed => ({
  ...refused,
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
