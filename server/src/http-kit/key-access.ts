import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyActor, KeyRecord, KeyScope } from '../identity/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { CallAdmission, ModelCall } from '../inference/index.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import { type Authenticate, ForbiddenKey } from './auth.ts';
import type { KeepAlive } from './keep-alive.ts';
import { rateHeaders } from './rate.ts';

export interface KeyAccessDeps {
  readonly authenticate: Authenticate;
  readonly calls: CallAdmission;
  readonly keyActor: KeyActor;
  readonly keepAlive: KeepAlive;
}

/** Parameters of an admission. */
export interface AdmissionParams {
  readonly endpoint: string;
  /** An estimate. */
  readonly tokens: number;
  readonly signal: AbortSignal;
}

/** Authenticates requests and applies the limits of their keys. Throws StudioError. */
export function createKeyAccess({ authenticate, calls, keyActor, keepAlive }: KeyAccessDeps) {
  const setRateHeaders = (reply: FastifyReply) => (rate: RateState) => void reply.headers(rateHeaders(rate));
  const countActor = (actor: Actor, reply: FastifyReply): Promise<void> => calls.count(actor, setRateHeaders(reply));
  /** Counts a request that asks no model, or was refused; puts the headers on the reply. */
  const count = (key: KeyRecord, reply: FastifyReply): Promise<void> => countActor(keyActor(key), reply);
  /** Admits a call; puts the headers on the reply. */
  const admitActor = (
    actor: Actor,
    { id: requestId, record }: FastifyRequest,
    reply: FastifyReply,
    { tokens, ...admitted }: AdmissionParams,
  ): Promise<ModelCall> => {
    const { startedMs } = record;
    return calls.admit({ actor, requestId, startedMs, ...admitted }, tokens, setRateHeaders(reply));
  };

  return {
    /** Returns the actor of a key. */
    actor: keyActor,
    async authenticate(request: FastifyRequest, reply: FastifyReply, scope: KeyScope | null): Promise<KeyRecord> {
      try {
        const key = await authenticate(request.headers, scope);
        request.record.key = key;
        return key;
      } catch (error) {
        if (error instanceof ForbiddenKey) {
          request.record.key = error.key;
          await count(error.key, reply);
        }
        throw error;
      }
    },
    count,
    /** The same for whoever acts, such as a person for whom a program calls. */
    countActor,
    admitActor,
    /** Admits a call of a key; puts the headers on the reply. */
    admit: (
      request: FastifyRequest,
      reply: FastifyReply,
      key: KeyRecord,
      params: AdmissionParams,
    ): Promise<ModelCall> => admitActor(keyActor(key), request, reply, params),
    /**
     * Returns a signal that aborts with a StudioError when the client disconnects, its key is revoked, or the service
     * stops.
     */
    abortSignal({ record }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
      const end = new AbortController();
      const open = {
        place: -1,
        keyId: record.key?.id ?? null,
        lastWriteMs: Number.POSITIVE_INFINITY,
        ping: () => undefined,
        terminate: (why: StudioError) => end.abort(why),
      };
      const close = () => {
        keepAlive.remove(open);
        end.abort(new StudioError('client_closed', 'The client closed the connection'));
      };
      // It may have left while its key was looked up.
      if (raw.closed) {
        close();
        return end.signal;
      }
      keepAlive.add(open);
      raw.once('close', close);
      return end.signal;
    },
  };
}
export type KeyAccess = ReturnType<typeof createKeyAccess>;
