import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyScope } from '../../identity/index.ts';
import type { MeteredCall, Metering } from '../../usage/index.ts';
import { checkJsonHeaders } from '../body.ts';
import type { Guard } from '../guard.ts';

interface JsonRouteDeps {
  readonly guard: Guard;
  readonly maxJsonBytes: number;
}

/** What the routes of the public API that take JSON have in common: the key comes before the body, failures count too. */
export function jsonRoute({ guard, maxJsonBytes }: JsonRouteDeps, scope: KeyScope) {
  return {
    /** Without a key no body is read. A length that is too large is refused here, as Fastify would cut the connection. */
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await guard.key(request, reply, scope);
      checkJsonHeaders(request.headers, maxJsonBytes);
      // Fastify reads no body without a type.
      request.headers['content-type'] = 'application/json';
    },
    /** Failures of the body count as requests, and tell what is left, as all others do. */
    errorHandler: async (error: Error, { record }: FastifyRequest, reply: FastifyReply) => {
      const { key } = record;
      if (key && !reply.hasHeader('X-RateLimit-Limit')) await guard.reserve(key, reply, 0);
      throw error;
    },
  };
}

/** Counts a call that was made for the key of the request, as {@link Metering.record} does. */
export function recordCall(
  metering: Metering,
  { record: { key, startedMs }, record }: FastifyRequest,
  call: Omit<MeteredCall, 'actor' | 'startedMs'>,
): void {
  record.model = call.model;
  if (key) metering.record({ actor: { tenantId: key.tenantId, keyId: key.id, userId: null }, startedMs, ...call });
}
