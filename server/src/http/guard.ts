import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyRecord, KeyScope } from '../identity/index.ts';
import type { RateLimiter, RateLimits } from '../ports/rate-limiter.ts';
import type { Authenticate } from './auth.ts';
import { rateHeaders, requireAllowed } from './rate.ts';

export interface GuardDeps {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly limitsOf: (key: KeyRecord) => RateLimits;
}

/** Lets a request in: its key, its scope, its share of the limits. Throws StudioError. */
export function createGuard({ authenticate, limiter, limitsOf }: GuardDeps) {
  return {
    async key(request: FastifyRequest, scope: KeyScope | null): Promise<KeyRecord> {
      return authenticate(request.headers, scope);
    },
    /** Counts the request and its estimated tokens; puts the headers on the reply. */
    async reserve(key: KeyRecord, reply: FastifyReply, tokens: number): Promise<void> {
      const state = await limiter.reserve(key.id, limitsOf(key), tokens);
      reply.headers(rateHeaders(state));
      requireAllowed(state);
    },
    /** Corrects the estimate. */
    settle(key: KeyRecord, tokens: number): void {
      limiter.settle(key.id, limitsOf(key), tokens);
    },
  };
}
export type Guard = ReturnType<typeof createGuard>;
