import { ENVELOPE_OK } from '@ai-studio/contract/envelope.ts';
import { PiiMaskRequest, PiiUnmaskRequest } from '@ai-studio/contract/utilities/privacy.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compileCheck, estimateTokens } from '../../chat/index.ts';
import { type Counted, PRIVACY_MODEL, type PrivacyDeps, maskRequest, unmaskRequest } from '../../privacy/index.ts';
import type { MeteredCall, Metering } from '../../usage/index.ts';
import type { Guard } from '../guard.ts';
import { jsonRoute, recordCall } from './json-route.ts';

export interface PrivacyRouteDeps extends PrivacyDeps {
  readonly guard: Guard;
  readonly metering: Metering;
  readonly maxJsonBytes: number;
}

type KeyCaller = Parameters<typeof maskRequest>[1];

const SCOPE = 'utilities';
/** No engine is asked. */
const ENGINE = null;

const sizeOf = (text: string | readonly string[]) =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.reduce((sum, one) => sum + Buffer.byteLength(one), 0);

/** POST /text/pii-mask and /text/pii-unmask. Source: decisions section 6. */
export function privacyRoutes(app: FastifyInstance, deps: PrivacyRouteDeps): void {
  const { guard, metering } = deps;

  /** A verb that takes a JSON body with texts and answers in the envelope. */
  function route<T extends { readonly text: string | string[] }>(
    path: string,
    endpoint: MeteredCall['endpoint'],
    bodyOf: (request: FastifyRequest) => T,
    verb: (caller: KeyCaller, body: T) => Promise<Counted<object>>,
  ): void {
    app.post(path, jsonRoute(deps, SCOPE), async (request, reply) => {
      const key = await guard.key(request, reply, SCOPE);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      // A body that is wrong is counted by the error handler.
      const body = bodyOf(request);
      const estimate = estimateTokens(sizeOf(body.text));
      const rate = await guard.reserve(key, reply, estimate);
      let tokens = 0;
      // What a model took counts for the key's limit, also where the call failed in the end.
      const spend: KeyCaller['spend'] = ({ promptTokens, completionTokens }) => {
        tokens += promptTokens + completionTokens;
      };
      const { tenantId, allowedModels } = key;
      try {
        const caller = { tenantId, allowedModels, keyId: key.id, userId: null, spend };
        const { result, totalTokens, modelTokens } = await verb(caller, body);
        tokens += totalTokens;
        recordCall(metering, request, {
          endpoint,
          model: PRIVACY_MODEL,
          engine: ENGINE,
          promptTokens: totalTokens,
          outcome: gone.signal.aborted ? 'canceled' : 'ok',
        });
        return {
          status: { code: ENVELOPE_OK, message: 'OK' },
          result,
          usage: { total_tokens: totalTokens, ...(modelTokens === null ? {} : { recognizer_tokens: modelTokens }) },
        };
      } finally {
        guard.settle(key, rate, tokens - estimate);
      }
    });
  }

  const checkMask = compileCheck(PiiMaskRequest);
  const checkUnmask = compileCheck(PiiUnmaskRequest);
  route(
    '/text/pii-mask',
    'text/pii-mask',
    ({ body }) => (checkMask.passes(body) ? (body as PiiMaskRequest) : checkMask.explain(body)),
    (caller, body) => maskRequest(deps, caller, body),
  );
  route(
    '/text/pii-unmask',
    'text/pii-unmask',
    ({ body }) => (checkUnmask.passes(body) ? (body as PiiUnmaskRequest) : checkUnmask.explain(body)),
    ({ tenantId }, body) => unmaskRequest(deps, tenantId, body),
  );
}
