import { InputItemsQuery, ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { DeletedResponse, InputItemList, Response, ResponseEvent } from '@ai-studio/contract/responses/response.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ChatInference, fallbackHeader } from '../inference/index.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { checkJsonHeaders, parseJsonBody } from '../http-kit/body.ts';
import { EventStream, startEventStream } from '../http-kit/event-stream.ts';
import { nameIgnored } from '../http-kit/ignored-fields.ts';
import type { KeepAlive } from '../http-kit/keep-alive.ts';
import type { KeyAccess } from '../http-kit/key-access.ts';
import { bytesRoute, publicRoute, type PublicRoute } from '../http-kit/public-route.ts';
import { rateHeaders } from '../http-kit/rate.ts';
import { type AdmittedResponse, admitResponse, type ResponsesDeps, type ResponseTarget } from './index.ts';

export interface ResponseRouteDeps {
  readonly responses: ResponsesDeps;
  readonly keyAccess: KeyAccess;
  readonly keepAlive: KeepAlive;
  /** Largest body, with the images and documents in it. */
  readonly maxBytes: number;
  readonly now: () => number;
}

/** What the path says of the call besides its body. */
function showCall(reply: FastifyReply, { rate, findings, fallback }: ChatInference): void {
  if (fallback) reply.header('X-Model-Fallback', fallbackHeader(fallback));
  if (rate) reply.headers(rateHeaders(rate));
  if (findings !== '') reply.header('X-Privacy-Findings', findings);
}

/** Sends an admitted response, whole or as events. Rejects with what it failed with before anything was sent. */
async function send(
  { keepAlive, now }: ResponseRouteDeps,
  { run, stream, inference }: AdmittedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply;
  const { record } = request;
  record.stream = stream;
  const keyId = record.key?.id ?? null;
  let failed: { readonly error: unknown } | null = null;
  let events: EventStream | null = null;
  /** Until the first byte: what cuts it off, and pings that open it. */
  const waiting = {
    place: -1,
    keyId,
    lastWriteMs: now(),
    ping: () => running.ping(),
    terminate: (why: StudioError) => running.terminate(why),
  };
  const open = () => {
    showCall(reply, inference);
    keepAlive.remove(waiting);
    startEventStream(reply);
    events = new EventStream(raw, { keyId, encoding: 'latin1', now, onCut: (why) => running.terminate(why) });
    keepAlive.add(events);
    return events;
  };
  const target: ResponseTarget = {
    write: (bytes) => void (events ?? open()).write(bytes),
    end: () => raw.end(),
    reply(bytes) {
      showCall(reply, inference);
      void reply.type('application/json; charset=utf-8').send(Buffer.from(bytes, 'latin1'));
    },
    fail: (error) => void (failed = { error }),
  };
  const running = run(target);
  const gone = () => running.cancel();
  keepAlive.add(waiting);
  raw.once('close', gone);
  if (raw.closed) gone();
  try {
    const { error } = await running.ended;
    // Told TypeScript, which does not see that the target was called.
    const failure = failed as { readonly error: unknown } | null;
    if (failure) throw failure.error;
    record.error ??= inference.redactError(error);
    return reply;
  } finally {
    keepAlive.remove(waiting);
    if (events) keepAlive.remove(events);
    raw.off('close', gone);
  }
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Ends the work for a request when its client goes away. */
function clientSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort(new StudioError('client_closed', 'The client closed the connection'));
  if (raw.closed) end();
  else raw.once('close', end);
  return gone.signal;
}

async function create(deps: ResponseRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { record } = request;
  const { key } = record;
  if (!key) throw new StudioError('internal', 'A response was asked for without a key');
  const open: { inference: ChatInference | null } = { inference: null };
  const call = {
    actor: deps.keyAccess.actor(key),
    requestId: request.id,
    startedMs: record.startedMs,
    signal: clientSignal(reply),
    onOpen: (inference: ChatInference) => (open.inference = inference),
  };
  try {
    const admitted = await admitResponse(deps.responses, call, parseJsonBody(bytesOf(request)));
    record.call = { model: admitted.inference.chat?.model.id ?? null };
    nameIgnored(reply, admitted.ignored);
    return await send(deps, admitted, request, reply);
  } catch (error) {
    // What was refused before it was counted is counted by the frame.
    if (open.inference) showCall(reply, open.inference);
    throw open.inference?.redactError(error) ?? error;
  }
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
