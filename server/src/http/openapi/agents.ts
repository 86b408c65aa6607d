import { RpcFailure } from '@ai-studio/contract/a2a/rpc.ts';
import { A2aEvent, A2aReply, A2aRequest, AgentCard03, JwkSet } from '@ai-studio/contract/a2a/v03.ts';
import type { z } from 'zod';
import type { OperationOf } from './operation.ts';

/** Wire forms of agents, in the 0.3 form of A2A. */
export const agentSchemas = {
  A2aRequest: [A2aRequest, 'input'],
  A2aReply: [A2aReply, 'output'],
  A2aEvent: [A2aEvent, 'output'],
  AgentCard: [AgentCard03, 'output'],
  JwkSet: [JwkSet, 'output'],
  A2aError: [RpcFailure, 'output'],
} as const satisfies Record<string, readonly [z.ZodType, 'input' | 'output']>;
export type AgentSchemaName = keyof typeof agentSchemas;

const tag = 'Agents';
const keyed = [401, 403, 404, 429, 500, 503] as const;
const agents = '/v1/external/agents';

/** Agents over A2A. */
export const agentOperations: readonly OperationOf<AgentSchemaName>[] = [
  {
    method: 'post',
    paths: [`${agents}/{slug}/a2a`],
    tag,
    summary: 'Call an agent (A2A)',
    description:
      'JSON-RPC 2.0 of A2A. `message/send` answers a task once it has ended; `message/stream` and `tasks/resubscribe` answer server-sent events, whose ids `Last-Event-ID` goes on from; further `tasks/get`, `tasks/cancel`, `tasks/pushNotificationConfig/*` and `agent/getAuthenticatedExtendedCard`. With `A2A-Version: 1.0` (header or query), or by a 1.0 method name (`SendMessage`, `SendStreamingMessage`, `GetTask`, `ListTasks`, …), the 1.0 form. `metadata.chat_session_id` goes on with a session. Errors are those of JSON-RPC, with `data.detail`.',
    request: 'A2aRequest',
    reply: 'A2aReply',
    stream: 'A2aEvent',
    failure: 'A2aError',
    example: {
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
    },
    statuses: [400, ...keyed, 413, 415],
  },
  {
    method: 'get',
    paths: [`${agents}/{slug}/.well-known/agent-card.json`, `${agents}/{slug}/a2a/.well-known/agent-card.json`],
    tag,
    summary: 'Agent card',
    description:
      'What a deployed agent tells of itself. Needs no key; with one, only agents of its tenant have a card. `A2A-Version: 1.0` asks for the 1.0 form.',
    reply: 'AgentCard',
    failure: 'A2aError',
    statuses: keyed,
  },
  {
    method: 'get',
    paths: [`${agents}/.well-known/jwks.json`],
    tag,
    summary: 'Keys of push notifications',
    description: 'The JWK set by which receivers check the signature of push notifications.',
    reply: 'JwkSet',
    failure: 'A2aError',
    statuses: [],
    open: true,
  },
];
