import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyRecord, KeyScope } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RateLimiter, RateLimits, RateState } from '../ports/rate-limiter.ts';
import { type Authenticate, ForbiddenKey } from './auth.ts';
import type { KeepAlive } from './keep-alive.ts';
import { rateHeaders, requireAllowed } from './rate.ts';

export interface GuardDeps {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly limitsOf: (key: KeyRecord) => RateLimits;
  readonly keepAlive: KeepAlive;
}

/** Lets a request in: its key, its scope, its share of the limits. Throws StudioError. */
export function createGuard({ authenticate, limiter, limitsOf, keepAlive }: GuardDeps) {
  /** Counts the request and its estimated tokens; puts the headers on the reply. */
  const reserve = async (key: KeyRecord, reply: FastifyReply, tokens: number): Promise<RateState> => {
    const state = await limiter.reserve(key.id, limitsOf(key), tokens);
    reply.headers(rateHeaders(state));
    requireAllowed(state);
    return state;
  };

  return {
    async key(request: FastifyRequest, reply: FastifyReply, scope: KeyScope | null): Promise<KeyRecord> {
      try {
        const key = await authenticate(request.headers, scope);
        request.record.key = key;
        return key;
      } catch (error) {
        if (error instanceof ForbiddenKey) {
          request.record.key = error.key;
          await reserve(error.key, reply, 0);
        }
        throw error;
      }
    },
    reserve,
    /**
     * Aborts with a StudioError when the answer is to end: the caller has gone away, its key may not be used any more, or the
     * service stops.
     */
    until({ record }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
      const end = new AbortController();
      const open = {
        place: -1,
        keyId: record.key?.id ?? null,
        lastWriteMs: Number.POSITIVE_INFINITY,
        ping: () => undefined,
        cut: (why: StudioError) => end.abort(why),
      };
      const close = () => {
        keepAlive.remove(open);
        end.abort(new StudioError('client_closed', 'The client closed the connection'));
      };
      // It may have left while its limits were looked up.
      if (raw.closed) {
        close();
        return end.signal;
      }
      keepAlive.add(open);
      raw.once('close', close);
      return end.signal;
    },
    /** Corrects the estimate. */
    settle(key: KeyRecord, { window }: RateState, tokens: number): void {
      limiter.settle(key.id, limitsOf(key), tokens, window);
    },
  };
}
export type Guard = ReturnType<typeof createGuard>;
