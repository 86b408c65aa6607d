import { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { CompletionReply, CompletionRequest } from '@ai-studio/contract/completions.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { type ChatRouteDeps, createChatHandler } from './serve-chat.ts';
import { hotRoute, type PublicRoute } from '../../http-kit/public-route.ts';

export interface ChatRoutesDeps {
  readonly chat: Omit<ChatRouteDeps, 'endpoint'>;
  /** Checks the body of a text completion. */
  readonly checkText: NonNullable<ChatRouteDeps['check']>;
}

const common = {
  method: 'POST',
  access: 'chat',
  tag: 'Chat',
  headers: {
    'X-Privacy-Findings': 'Types of personal values that were found; only where there is a policy for them',
    'X-Model-Fallback':
      'Only where another model answered than the one that was asked for: its id, then `; reason=` and `unavailable`, `overloaded` or `context_length`. `model` of the reply is that id too',
  },
  errors: ['timeout', 'unprocessable'] satisfies ErrorCode[],
} as const;

/** Agents answer conversations, no texts. */
const withoutAgents = ({ agents: _none, ...chat }: ChatRoutesDeps['chat']): ChatRoutesDeps['chat'] => chat;

/** POST /chat/completions and /completions, on the raw server. Source: decisions section 2. */
export const chatRoutes = ({ chat, checkText }: ChatRoutesDeps): readonly PublicRoute[] => [
  hotRoute({
    ...common,
    path: '/chat/completions',
    summary: 'Chat completion',
    description:
      'A reply to a conversation, whole or as server-sent events (`stream: true`): a first chunk with the role, thinking before the answer, a chunk with `finish_reason` and `stop_reason`, then `data: [DONE]`. A failure in the middle is one event with `error`, without `[DONE]`. The header `X-Session-ID` names the conversation: its calls go to the address that has the prompt in its cache. The header `X-Tool-Stream: openai` asks for tool-call deltas that open with id and name, for the models that leave them out. Where the tenant or the key has a policy for personal values, they are counted, masked before the model and restored in the reply, or refused with 422; `X-Privacy-Findings` says which types were found. To a key that wants agents as models, `model` may be `agent/SLUG`: the agent answers, as a run that is told what was said before, with its sources as `annotations`.',
    requestHeaders: {
      'X-Tool-Stream': {
        meaning:
          'openai: tool-call deltas open with id and name, as most clients need; arguments: they carry arguments alone. When left out, as the key or the model says',
        values: ['openai', 'arguments'],
      },
      'X-Session-ID': 'Names the conversation: its calls go to the address that has the prompt in its cache',
    },
    body: { ChatRequest },
    reply: { ChatReply },
    stream: { ChatChunk },
    lastEvent: '[DONE]',
    example: { model: 'CORE-GOV-THINK', messages: [{ role: 'user', content: '12 × 12는 얼마인가요?' }], stream: false },
    usage: 'chat',
    handler: (endpoint) => createChatHandler({ ...chat, endpoint }),
  }),
  hotRoute({
    ...common,
    path: '/completions',
    summary: 'Text completion',
    description: 'The older text form: the prompt is answered as a user message.',
    body: { CompletionRequest },
    reply: { CompletionReply },
    stream: { CompletionReply },
    lastEvent: '[DONE]',
    example: { model: 'CORE-GOV', prompt: 'Hello' },
    usage: 'completions',
    handler: (endpoint) => createChatHandler({ ...withoutAgents(chat), check: checkText, endpoint }),
  }),
];
