import { CountTokensRequest, MessagesRequest } from '@ai-studio/contract/messages/request.ts';
import { MessagesEvent, MessagesReply, TokenCount } from '@ai-studio/contract/messages/reply.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentsAreModels } from '../identity/index.ts';
import type { ChatInference } from '../inference/index.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { sessionOfHeaders } from '../kernel/session-name.ts';
import { StudioError } from '../kernel/errors.ts';
import { takeApiKeyHeader } from '../http-kit/api-key-header.ts';
import { checkJsonHeaders, parseJsonBody } from '../http-kit/body.ts';
import type { Failures } from '../http-kit/failures.ts';
import { nameIgnored } from '../http-kit/ignored-fields.ts';
import type { KeyAccess } from '../http-kit/key-access.ts';
import { bytesRoute, type PublicRoute } from '../http-kit/public-route.ts';
import { answerChat, clientSignal, type SendAnswerDeps, withCall } from '../http-kit/send-answer.ts';
import { admitMessage, countMessageTokens, type MessageCall, type MessagesDeps } from './index.ts';

export interface MessageRouteDeps extends SendAnswerDeps {
  readonly messages: MessagesDeps;
  readonly keyAccess: KeyAccess;
  readonly failures: Pick<Failures, 'messages'>;
  /** Largest body, with the images and documents in it. */
  readonly maxBytes: number;
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

const common = {
  method: 'POST',
  access: 'chat',
  tag: 'Messages',
  headers: {
    'X-Privacy-Findings': 'Types of personal values that were found; only where there is a policy for them',
    'request-id': 'The same as X-Request-Id',
  },
  errors: ['not_found', 'timeout', 'unprocessable'] satisfies ErrorCode[],
} as const;

/** Who asks, in a request. */
function callOf(
  { keyAccess, failures }: MessageRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  onOpen: (inference: ChatInference) => void,
): MessageCall {
  const { id: requestId, record } = request;
  const { key, startedMs } = record;
  if (!key) throw new StudioError('internal', 'A message was asked for without a key');
  return {
    actor: keyAccess.actor(key),
    agentModels: agentsAreModels(key),
    requestId,
    session: sessionOfHeaders(request.headers),
    startedMs,
    signal: clientSignal(reply),
    onOpen,
    failure(error) {
      record.error = error;
      return failures.messages(error, requestId).body;
    },
  };
}

/** POST /messages and /messages/count_tokens. Source: decisions section 3; Anthropic API reference, "Messages". */
export function messageRoutes(deps: MessageRouteDeps): readonly PublicRoute[] {
  const { keyAccess, maxBytes } = deps;
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('request-id', request.id);
    takeApiKeyHeader(request.headers);
    await keyAccess.authenticate(request, reply, 'chat');
    checkJsonHeaders(request.headers, maxBytes);
    // Fastify reads no body without a type.
    request.headers['content-type'] = 'application/json';
  };
  return [
    bytesRoute({
      ...common,
      path: '/messages',
      summary: 'Message',
      description:
        'A reply in the form of Anthropic’s Messages interface, whole or as server-sent events (`stream: true`): thinking, text and calls of tools. Text, images and documents as input; documents are read by the service and given to the model as text. The key may stand in `x-api-key` as well, here and nowhere else. Tools are run by the caller. To a key that wants agents as models, `model` may be `agent/SLUG`: the agent answers, with what it cites below its text; it takes no tools of its callers. A failure in the middle of a stream is the event `error`. Policies for personal values, limits and usage are those of chats.',
      body: { MessagesRequest },
      reply: { MessagesReply },
      stream: { MessagesEvent },
      example: {
        model: 'CORE-GOV-THINK',
        max_tokens: 1024,
        messages: [{ role: 'user', content: '12 × 12는 얼마인가요?' }],
      },
      usage: 'messages',
      maxBytes,
      enter,
      handle: (request, reply) =>
        answerChat(deps, request, reply, async (onOpen) =>
          admitMessage(deps.messages, callOf(deps, request, reply, onOpen), parseJsonBody(bytesOf(request))),
        ),
    }),
    bytesRoute({
      ...common,
      path: '/messages/count_tokens',
      summary: 'Tokens of a message',
      description:
        'How many tokens a message would give the model, by the tokenizer of its server; an estimate where the server has none that can be asked.',
      body: { CountTokensRequest },
      reply: { TokenCount },
      example: { model: 'CORE-GOV-THINK', messages: [{ role: 'user', content: '12 × 12는 얼마인가요?' }] },
      maxBytes,
      enter,
      handle: (request, reply) =>
        withCall(reply, async (onOpen) => {
          const call = callOf(deps, request, reply, onOpen);
          const { tokens, ignored } = await countMessageTokens(deps.messages, call, parseJsonBody(bytesOf(request)));
          nameIgnored(reply, ignored);
          return { input_tokens: tokens } satisfies TokenCount;
        }),
    }),
  ];
}
