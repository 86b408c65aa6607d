import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyActor, KeyRecord, KeyScope } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { type Admission, requireAllowed } from '../inference/index.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import { type Authenticate, ForbiddenKey } from './auth.ts';
import type { KeepAlive } from './keep-alive.ts';
import { rateHeaders } from './rate.ts';

export interface KeyAccessDeps {
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  readonly keyActor: KeyActor;
  readonly keepAlive: KeepAlive;
}

/** Lets a request in: its key, its scope, its share of the limits. Throws StudioError. */
export function createKeyAccess({ authenticate, admission, keyActor, keepAlive }: KeyAccessDeps) {
  /** Counts the request and its estimated tokens; puts the headers on the reply. */
  const reserve = async (key: KeyRecord, reply: FastifyReply, tokens: number): Promise<RateState> => {
    const actor = keyActor(key);
    const state = await admission.reserve(actor, tokens);
    reply.headers(rateHeaders(state));
    requireAllowed(actor, state);
    return state;
  };

  return {
    /** The holder of a key as the one who acts. */
    actor: keyActor,
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
    settle(key: KeyRecord, state: RateState, tokens: number): void {
      admission.settle(keyActor(key), state, 0, tokens);
    },
  };
}
export type KeyAccess = ReturnType<typeof createKeyAccess>;
