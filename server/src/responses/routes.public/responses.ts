import { InputItemsQuery, ResponseQuery, ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { DeletedResponse, InputItemList, Response, ResponseEvent } from '@ai-studio/contract/responses/response.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentsAreModels } from '../../identity/index.ts';
import type { ChatInference } from '../../inference/index.ts';
import { invalidRequest, quoteId, StudioError } from '../../kernel/errors.ts';
import { sessionOfHeaders } from '../../kernel/session-name.ts';
import { checkJsonHeaders, parseJsonBody } from '../../http-kit/body.ts';
import { nameIgnored } from '../../http-kit/ignored-fields.ts';
import type { KeyAccess } from '../../http-kit/key-access.ts';
import { bytesRoute, publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { admitResponse, type ResponsesDeps, shownResponse, toldItem } from '../index.ts';
import { type SendAnswerDeps, showCall } from '../../http-kit/send-answer.ts';
import { sendEvents, sendRun } from './send.ts';

export interface ResponseRouteDeps extends SendAnswerDeps {
  readonly responses: ResponsesDeps;
  readonly keyAccess: KeyAccess;
  /** Largest body, with the images and documents in it. */
  readonly maxBytes: number;
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

async function create(deps: ResponseRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { record } = request;
  const { key } = record;
  if (!key) throw new StudioError('internal', 'A response was asked for without a key');
  const open: { inference: ChatInference | null } = { inference: null };
  const call = {
    actor: deps.keyAccess.actor(key),
    scopes: key.scopes,
    agentModels: agentsAreModels(key),
    requestId: request.id,
    startedMs: record.startedMs,
    session: sessionOfHeaders(request.headers),
    signal: deps.keyAccess.abortSignal(request, reply),
    onOpen: (inference: ChatInference) => (open.inference = inference),
  };
  try {
    const admitted = await admitResponse(deps.responses, call, parseJsonBody(bytesOf(request)));
    record.call = { model: admitted.model };
    nameIgnored(reply, admitted.ignored);
    record.stream = admitted.stream;
    const { queued } = admitted;
    if (queued === null) return await sendRun(deps, admitted, request, reply);
    showCall(reply, admitted.inference);
    if (!admitted.stream) return queued;
    const follow = (signal: AbortSignal) =>
      deps.responses.background.follow(call.actor.tenantId, queued.id, NOTHING_TOLD, signal);
    return await sendEvents(deps, follow, NOTHING_TOLD, request, reply);
  } catch (error) {
    // What was refused before it was counted is counted by the frame.
    if (open.inference) showCall(reply, open.inference);
    throw open.inference?.redactError(error) ?? error;
  }
}

/** Before the first event of a stream. */
const NOTHING_TOLD = -1;

const common = { access: 'chat', tag: 'Responses' } as const;
const params = { response_id: 'Id of a response' };

/** POST /responses. */
export const responseRoute = (deps: ResponseRouteDeps): PublicRoute =>
  bytesRoute({
    ...common,
    method: 'POST',
    path: '/responses',
    summary: 'Response',
    description:
      'A reply in the form of the OpenAI Responses interface, whole or as server-sent events (`stream: true`): items of thinking, text and function calls. Text, images and documents as input; documents are read by the service and given to the model as text. It is kept (`store`), so that `previous_response_id` goes on from it, or added to a `conversation`. Tools are functions, which the caller runs, and those that the service runs: searches of collections (`file_search`), tools of connected servers (`mcp`), and of the web where the operator has a search. With `background: true` it is made while nobody waits. To a key that wants agents as models, `model` may be `agent/SLUG`: the agent answers, with its sources as `annotations`; it takes no tools of its callers. A failure in the middle of a stream is `response.failed`. Policies for personal values, limits and usage are those of chats.',
    headers: {
      'X-Privacy-Findings': 'Types of personal values that were found; only where there is a policy for them',
    },
    errors: ['not_found', 'timeout', 'unprocessable'],
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
  });

/** What is kept of responses. */
export function kept(deps: ResponseRouteDeps): readonly PublicRoute[] {
  const { store, background } = deps.responses;
  return [
    publicRoute({
      ...common,
      method: 'GET',
      path: '/responses/:response_id',
      params,
      query: { ResponseQuery },
      summary: 'Read a response',
      description:
        'A response that was kept; of one in the background, how far it is. With `stream: true` the events of one that was begun in the background as a stream, from the first or from behind `starting_after`, with the numbers that they always have.',
      reply: { Response },
      stream: { ResponseEvent },
      async handle({ ctx, params: { response_id: id }, query, request, reply }) {
        const { tenantId } = ctx.actor;
        if (query.stream === true) {
          const after = query.starting_after ?? NOTHING_TOLD;
          const follow = (signal: AbortSignal) => background.follow(tenantId, id, after, signal);
          return sendEvents(deps, follow, after, request, reply);
        }
        if (query.starting_after !== undefined)
          throw invalidRequest('starting_after is for streams: give stream=true with it', 'starting_after');
        const include = [...(query.include ?? []), ...(query['include[]'] ?? [])];
        return shownResponse(await store.get(tenantId, id), include);
      },
    }),
    publicRoute({
      ...common,
      method: 'DELETE',
      path: '/responses/:response_id',
      params,
      summary: 'Delete a response',
      description: 'It can be neither read nor gone on from any more; one in the background is made no further.',
      reply: { DeletedResponse },
      async handle({ ctx, params: { response_id: id } }) {
        const { tenantId } = ctx.actor;
        const { response } = await store.get(tenantId, id);
        await store.remove(tenantId, id);
        background.deleted(tenantId, response);
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
          data: data.map(toldItem),
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
      description:
        'Ends a response that is made in the background; what there is of it is kept. One that has ended stays as it is.',
      errors: ['invalid_request'],
      reply: { Response },
      handle: async ({ ctx, params: { response_id: id } }) =>
        shownResponse(await background.cancel(ctx.actor.tenantId, id)),
    }),
  ];
}
