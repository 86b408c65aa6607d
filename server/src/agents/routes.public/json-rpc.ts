import { A2aEvent, A2aQuery, A2aReply, A2aRequest } from '@ai-studio/contract/a2a/v03.ts';
import { A2aRequest10 } from '@ai-studio/contract/a2a/v10.ts';
import { PlainA2aEvent } from '@ai-studio/contract/a2a/plain.ts';
import { bytesRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { AGENTS_PATH, AGENTS_V2_PATH, SLUG_PARAM } from './address.ts';
import { type A2aRouteDeps, answer, letIn, openRpc, type RenderFailure, type StateOf } from './calls.ts';

const example = {
  jsonrpc: '2.0',
  id: 'req-1',
  method: 'message/stream',
  params: {
    message: {
      kind: 'message',
      role: 'user',
      messageId: '7f9c24e8-3b12-4fef-91d0-6a8b1d3c5e70',
      parts: [{ kind: 'text', text: '연차 휴가는 며칠인가요?' }],
    },
  },
} as const;

const example10 = {
  jsonrpc: '2.0',
  id: 'req-1',
  method: 'SendMessage',
  params: {
    message: {
      role: 'ROLE_USER',
      messageId: '7f9c24e8-3b12-4fef-91d0-6a8b1d3c5e70',
      parts: [{ text: '연차 휴가는 며칠인가요?' }],
    },
  },
} as const;

/** Calls by JSON-RPC: at the path of the interface, and at the one that cards name. Bodies are read by JSON-RPC's own rules. */
export function rpcRoutes(deps: A2aRouteDeps, stateOf: StateOf, renderFailure: RenderFailure): readonly PublicRoute[] {
  const common = {
    access: 'agents',
    tag: 'Agents',
    method: 'POST',
    params: SLUG_PARAM,
    query: { A2aQuery },
    body: { A2aRequest },
    reply: { A2aReply },
    example,
    renderFailure,
    maxBytes: deps.maxBytes,
    enter: (request, reply) => letIn(deps, stateOf(request), request, reply, { hasBody: true }),
    handle: (request, reply) => answer(deps, stateOf(request), request, reply, openRpc),
  } as const satisfies Partial<Parameters<typeof bytesRoute>[0]>;
  return [
    bytesRoute({
      ...common,
      path: `${AGENTS_PATH}/:slug/a2a`,
      stream: { A2aEvent },
      summary: 'Call an agent (A2A)',
      description:
        'JSON-RPC 2.0 of A2A. `message/send` answers a task once it has ended; `message/stream` and `tasks/resubscribe` answer server-sent events, whose ids `Last-Event-ID` goes on from; further `tasks/get`, `tasks/cancel`, `tasks/pushNotificationConfig/*` and `agent/getAuthenticatedExtendedCard`. With `A2A-Version: 1.0` (header or query), or by a 1.0 method name (`SendMessage`, `SendStreamingMessage`, `GetTask`, `ListTasks`, …), the 1.0 form. `metadata.chat_session_id` goes on with a session. Errors are those of JSON-RPC, with `data.detail`.',
    }),
    bytesRoute({
      ...common,
      path: `${AGENTS_V2_PATH}/:slug/a2a`,
      body: { A2aRequest10 },
      stream: { A2aEvent },
      example: example10,
      summary: 'Call an agent (A2A 1.0)',
      description: 'As `/v1/external/agents/{slug}/a2a`, always in the form of A2A 1.0.',
    }),
    bytesRoute({
      ...common,
      path: `${AGENTS_PATH}/:slug/a2a/rpc`,
      stream: { PlainA2aEvent },
      summary: 'Call an agent as its card says (A2A over JSON-RPC)',
      description:
        'The same methods in both forms, as the specification of A2A has them: errors of JSON-RPC come with HTTP 200, a run that fails is a task in state `failed`, and a stream is the task, pieces of its artifact (`append`, one `artifactId`, `lastChunk` on the last), and at the end the whole task (1.0) or the final status (0.3).',
    }),
  ];
}
