import { InputItemsQuery, ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { DeletedResponse, InputItemList, Response, ResponseEvent } from '@ai-studio/contract/responses/response.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { checkJsonHeaders, parseJsonBody } from '../http-kit/body.ts';
import type { KeepAlive } from '../http-kit/keep-alive.ts';
import type { KeyAccess } from '../http-kit/key-access.ts';
import { bytesRoute, publicRoute, type PublicRoute } from '../http-kit/public-route.ts';
import { answerChat, clientSignal } from '../http-kit/send-answer.ts';
import { admitResponse, type ResponsesDeps } from './index.ts';

export interface ResponseRouteDeps {
  readonly responses: ResponsesDeps;
  readonly keyAccess: KeyAccess;
  readonly keepAlive: KeepAlive;
  /** Largest body, with the images and documents in it. */
  readonly maxBytes: number;
  readonly now: () => number;
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

function create(deps: ResponseRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { record } = request;
  const { key } = record;
  if (!key) throw new StudioError('internal', 'A response was asked for without a key');
  const call = {
    actor: deps.keyAccess.actor(key),
    requestId: request.id,
    startedMs: record.startedMs,
    signal: clientSignal(reply),
  };
  return answerChat(deps, request, reply, async (onOpen) =>
    admitResponse(deps.responses, { ...call, onOpen }, parseJsonBody(bytesOf(request))),
  );
}

const common = { access: 'chat', tag: 'Responses' } as const;
const params = { response_id: 'Id of a response' };

/** POST /responses, and what is kept of them. Source: decisions section 3. */
export function responseRoutes(deps: ResponseRouteDeps): readonly PublicRoute[] {
  const { store } = deps.responses;
  return [
    bytesRoute({
      ...common,
      method: 'POST',
      path: '/responses',
      summary: 'Response',
      description:
        'A reply in the form of the OpenAI Responses interface, whole or as server-sent events (`stream: true`): items of thinking, text and function calls. Text, images and documents as input; documents are read by the service and given to the model as text. It is kept (`store`), so that `previous_response_id` goes on from it. A failure in the middle of a stream is `response.failed`. Policies for personal values, limits and usage are those of chats.',
      headers: {
        'X-Privacy-Findings': 'Types of personal values that were found; only where there is a policy for them',
      },
      errors: ['timeout', 'unprocessable'],
      body: { ResponseRequest },
      reply: { Response },
      stream: { ResponseEvent },
      example: { model: 'CORE-GOV-THINK', input: '12 × 12는 얼마인가요?', stream: false },
      usage: 'responses',
      maxBytes: deps.maxBytes,
      async enter(request, reply) {
        await deps.keyAccess.authenticate(request, reply, 'chat');
        checkJsonHeaders(request.headers, deps.maxBytes);
        // Fastify reads no body without a type.
        request.headers['content-type'] = 'application/json';
      },
      handle: (request, reply) => create(deps, request, reply),
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: '/responses/:response_id',
      params,
      summary: 'Read a response',
      description: 'A response that was kept, as it was sent.',
      reply: { Response },
      handle: async ({ ctx, params: { response_id: id } }) => (await store.get(ctx.actor.tenantId, id)).response,
    }),
    publicRoute({
      ...common,
      method: 'DELETE',
      path: '/responses/:response_id',
      params,
      summary: 'Delete a response',
      description: 'It can be neither read nor gone on from any more.',
      reply: { DeletedResponse },
      async handle({ ctx, params: { response_id: id } }) {
        await store.remove(ctx.actor.tenantId, id);
        return { id, object: 'response' as const, deleted: true as const };
      },
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: '/responses/:response_id/input_items',
      params,
      query: { InputItemsQuery },
      summary: 'Items of a request',
      description: 'What a response that was kept was made from, page by page.',
      reply: { InputItemList },
      async handle({ ctx, params: { response_id: id }, query: { limit, order, after } }) {
        const { input } = await store.get(ctx.actor.tenantId, id);
        const items = order === 'asc' ? input : input.toReversed();
        const start = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1;
        if (after !== undefined && start === 0)
          throw invalidRequest(`after: there is no item ${quoteId(after)} in this response`, 'after');
        const data = items.slice(start, start + limit);
        return {
          object: 'list' as const,
          data: [...data],
          first_id: data[0]?.id ?? null,
          last_id: data.at(-1)?.id ?? null,
          has_more: start + limit < items.length,
        };
      },
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: '/responses/:response_id/cancel',
      params,
      summary: 'Cancel a response',
      description: 'Refused: responses are made while their caller waits, who ends them by closing the connection.',
      reply: { Response },
      async handle({ ctx, params: { response_id: id } }) {
        await store.get(ctx.actor.tenantId, id);
        throw invalidRequest('Only responses in the background can be canceled, and this one has ended');
      },
    }),
  ];
}
