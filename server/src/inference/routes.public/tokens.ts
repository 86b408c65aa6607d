import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import {
  ChatTokens,
  DetokenizeReply,
  DetokenizeRequest,
  TokenizeReply,
  TokenizeRequest,
} from '@ai-studio/contract/tokens.ts';
import type { FastifyRequest } from 'fastify';
import { compileCheck, type CountPrompt, ignoredOf, type Tokens } from '../index.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { parseJsonBody } from '../../http-kit/body.ts';
import { nameIgnored } from '../../http-kit/ignored-fields.ts';
import { bytesRoute, publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { type ChatCountingDeps, createChatCounting } from './chat-counting.ts';
import { messageTokenRoutes } from './message-tokens.ts';

export interface TokenRouteDeps extends ChatCountingDeps {
  readonly tokens: Tokens;
  readonly countPrompt: CountPrompt;
}

const readTokenize = compileCheck(TokenizeRequest).explain;

/** The chat whose prompt is to be counted: that of the request, or one whose only message is the text. Throws StudioError. */
function chatOf(body: unknown): { readonly chat: Buffer; readonly request: TokenizeRequest } {
  const request = readTokenize(body);
  const { model, prompt, messages, tools, chat_template_kwargs: keys } = request;
  if ((typeof prompt === 'string') === (messages !== null && messages !== undefined))
    throw invalidRequest('Give either prompt, a text, or messages, a conversation', 'prompt');
  const { add_generation_prompt: opens, continue_final_message: goesOn } = request;
  const fields = messages
    ? { messages, tools, chat_template_kwargs: keys, add_generation_prompt: opens, continue_final_message: goesOn }
    : { messages: [{ role: 'user', content: prompt }] };
  const given = Object.entries({ model, ...fields }).filter(([, value]) => value !== null && value !== undefined);
  return { chat: Buffer.from(JSON.stringify(Object.fromEntries(given))), request };
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
const known = new Set(Object.keys(TokenizeRequest.shape));

const common = { method: 'POST', access: 'chat', tag: 'Chat', errors: ['timeout', 'unprocessable'] } as const;

/** POST /tokenize, /detokenize and /chat/completions/tokens. Source: docs.vllm.ai, Tokenizer API. */
export function tokenRoutes(deps: TokenRouteDeps): readonly PublicRoute[] {
  const { tokens, countPrompt, maxBytes } = deps;
  const { enter, withChat } = createChatCounting(deps);
  return [
    bytesRoute({
      ...common,
      path: '/tokenize',
      summary: 'Tokens of a text',
      description:
        'The tokens of a text, or of the prompt of a chat, by the tokenizer of the model’s server, in the form of vLLM. A 400 where that server has no tokenizer.',
      body: { TokenizeRequest },
      reply: { TokenizeReply },
      example: { model: 'CORE-GOV', prompt: '안녕하세요' },
      maxBytes,
      enter,
      handle(request, reply) {
        const body = parseJsonBody(bytesOf(request));
        const { chat: bytes, request: asked } = chatOf(body);
        nameIgnored(
          reply,
          Object.keys(body as object).filter((name) => !known.has(name)),
        );
        const text =
          typeof asked.prompt === 'string'
            ? { text: { special: asked.add_special_tokens !== false, fromLast: 0 } }
            : {};
        return withChat(
          request,
          reply,
          () => bytes,
          async (chat, who) => {
            const prompt = { chat, ...text, withTexts: asked.return_token_strs === true };
            const found = await tokens.tokenize(prompt, who);
            return {
              model: found.model.id,
              count: found.count,
              max_model_len: found.model.context_length,
              tokens: [...found.tokens],
              token_strs: found.texts && [...found.texts],
            } satisfies TokenizeReply;
          },
        );
      },
    }),
    publicRoute({
      ...common,
      path: '/detokenize',
      summary: 'Text of tokens',
      description: 'The text of tokens, by the tokenizer of the model’s server, in the form of vLLM.',
      body: { DetokenizeRequest },
      reply: { DetokenizeReply },
      example: { model: 'CORE-GOV', tokens: [101, 102] },
      handle: async ({ body, ctx }) => ({
        prompt: await tokens.detokenize(body.model, body.tokens, ctx.actor.allowedModels, ctx),
      }),
    }),
    bytesRoute({
      ...common,
      path: '/chat/completions/tokens',
      summary: 'Tokens of a chat',
      description:
        'How many tokens the prompt of a chat has: the body is that of POST /v1/chat/completions, which is not answered. By the tokenizer of the model’s server; an estimate, which says so, where it has none.',
      body: { ChatRequest },
      reply: { ChatTokens },
      example: { model: 'CORE-GOV', messages: [{ role: 'user', content: '안녕하세요' }] },
      maxBytes,
      enter,
      handle: (request, reply) =>
        withChat(
          request,
          reply,
          () => bytesOf(request),
          async (chat, who) => {
            nameIgnored(reply, ignoredOf(chat.extras));
            const { count, isEstimate } = await countPrompt(chat, who);
            return {
              object: 'chat.completion.tokens',
              model: chat.model.id,
              prompt_tokens: count,
              context_length: chat.model.context_length,
              is_estimate: isEstimate,
            } satisfies ChatTokens;
          },
        ),
    }),
    ...messageTokenRoutes(deps),
  ];
}
