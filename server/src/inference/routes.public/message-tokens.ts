import { MessageTokensReply, MessageTokensRequest } from '@ai-studio/contract/tokens.ts';
import type { FastifyRequest } from 'fastify';
import { compileCheck, type Tokens } from '../index.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { parseJsonBody } from '../../http-kit/body.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { nameIgnored } from '../../http-kit/ignored-fields.ts';
import { bytesRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { type ChatCountingDeps, createChatCounting } from './chat-counting.ts';

interface MessageTokenDeps extends ChatCountingDeps {
  readonly tokens: Tokens;
}

const read = compileCheck(MessageTokensRequest).explain;
const known = new Set(Object.keys(MessageTokensRequest.shape));
const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** POST /api-tools/chat-tokenize/{model}. Source: api.ncloud-docs.com, CLOVA Studio, token calculators of chats and of texts. */
export function messageTokenRoutes(deps: MessageTokenDeps): readonly PublicRoute[] {
  const { enter, withChat } = createChatCounting(deps);
  return [
    bytesRoute({
      method: 'POST',
      path: '/api-tools/chat-tokenize/:model',
      access: 'chat',
      tag: 'Chat',
      summary: 'Tokens of each message',
      description:
        'How many tokens each message of a conversation has, or a text, by the tokenizer of the model’s server, in the form of CLOVA Studio’s token calculator: `messages` with `count`, or `numTokens` for `text`.',
      params: { model: 'A chat model' },
      body: { MessageTokensRequest },
      reply: { MessageTokensReply },
      example: { messages: [{ role: 'user', content: '안녕하세요' }] },
      errors: ['timeout', 'unprocessable'],
      maxBytes: deps.maxBytes,
      enter,
      async handle(request, reply) {
        const body = parseJsonBody(bytesOf(request));
        const { messages, text } = read(body);
        nameIgnored(
          reply,
          Object.keys(body as object).filter((name) => !known.has(name)),
        );
        if ((typeof text === 'string') === Array.isArray(messages))
          throw invalidRequest('Give either messages, a conversation, or text', 'messages');
        const { model } = request.params as { readonly model: string };
        const asked = messages ?? [{ role: 'user' as const, content: text ?? '' }];
        const chat = () => Buffer.from(JSON.stringify({ model, messages: asked }));
        return withChat(request, reply, chat, async (admitted, who) => {
          const counts: number[] = [];
          // One after the other: a server is asked no faster than by any other request.
          for (const at of asked.keys()) {
            const fromLast = asked.length - 1 - at;
            const prompt = { chat: admitted, text: { special: false, fromLast }, withTexts: false };
            counts.push((await deps.tokens.tokenize(prompt, who)).count);
          }
          if (!messages) return inEnvelope({ numTokens: counts[0] ?? 0 });
          return inEnvelope({
            messages: messages.map(({ role, content }, at) => ({ role, content, count: counts[at] ?? 0 })),
          });
        });
      },
    }),
  ];
}
