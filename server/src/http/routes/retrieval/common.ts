import { ENVELOPE_OK } from '@ai-studio/contract/envelope.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { compileCheck } from '../../../chat/index.ts';
import type { KeyRecord } from '../../../identity/index.ts';
import { StudioError } from '../../../kernel/errors.ts';
import type { Caller, RetrievalDeps } from '../../../retrieval/index.ts';
import type { Guard } from '../../guard.ts';
import { jsonRoute } from '../json-route.ts';

export interface RetrievalRouteDeps {
  readonly guard: Guard;
  readonly retrieval: RetrievalDeps;
  readonly maxJsonBytes: number;
  /** Where files are kept until they are put away. */
  readonly folder: string;
  readonly maxUploadBytes: number;
}

/** The holder of a key as the one who asks. */
export function callerOf(key: KeyRecord, request: FastifyRequest, reply: FastifyReply): Caller {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(new StudioError('client_closed', 'The client closed the connection')));
  return {
    tenantId: key.tenantId,
    keyId: key.id,
    userId: key.holderId,
    allowedModels: key.allowedModels,
    requestId: request.id,
    signal: gone.signal,
  };
}

/** A success in the common envelope. */
export const inEnvelope = (result: unknown, usage?: object) => ({
  status: { code: ENVELOPE_OK, message: 'OK' },
  result,
  ...(usage === undefined ? {} : { usage }),
});

/** What a schema makes of a value. Throws StudioError `invalid_request` that names what is wrong. */
export function reader<S extends z.ZodType>(schema: S): (value: unknown) => z.infer<S> {
  const { explain } = compileCheck(schema);
  // The schema itself decides: it fills in what was left out.
  return (value) => explain(value);
}

/** Ids of the address. */
export interface Ids {
  readonly collection_id?: string;
  readonly document_id?: string;
  readonly chunk_id?: string;
}

/** What a route is given: who asks, the ids of the address, and the request. */
export interface CallContext {
  readonly caller: Caller;
  readonly ids: Ids;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Work = (asked: CallContext) => Promise<unknown>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Registers routes of the scope `retrieval` that answer in the envelope. */
export function retrievalRoutes(app: FastifyInstance, deps: RetrievalRouteDeps) {
  const { guard } = deps;
  const hooks = jsonRoute(deps, 'retrieval');

  const handler = (work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const key = await guard.key(request, reply, 'retrieval');
    await guard.reserve(key, reply, 0);
    return work({ caller: callerOf(key, request, reply), ids: request.params as Ids, request, reply });
  };

  return {
    /** Routes with a JSON body. */
    withBody(method: 'POST' | 'PATCH', paths: readonly string[], work: Work): void {
      for (const url of paths) app.route({ method, url, ...hooks, handler: handler(work) });
    },
    /** Routes without one; what is sent is passed over. */
    bare(method: Method, paths: readonly string[], work: Work): void {
      app.register((scope, _options, done) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, payload, parsed) => {
          payload.resume();
          parsed(null);
        });
        scope.setErrorHandler(hooks.errorHandler);
        for (const url of paths) scope.route({ method, url, handler: handler(work) });
        done();
      });
    },
  };
}
