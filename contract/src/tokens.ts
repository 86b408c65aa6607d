import { z } from 'zod';
import { Message, Tool } from './chat/request.ts';
import { described } from './described.ts';
import { envelope } from './envelope.ts';

// Tokens as models count them. Source: docs.vllm.ai, "OpenAI-Compatible Server", Tokenizer API.

const MAX_TOKENS = 1_000_000;

export const TokenizeRequest = described('Body of POST /v1/tokenize: a text, or the messages of a chat', {
  model: z.string().min(1).nullish().describe('A chat model; the default model when left out'),
  prompt: z.string().nullish().describe('The text; either this or messages'),
  messages: z
    .array(Message)
    .min(1)
    .nullish()
    .describe('A conversation, whose prompt is counted with all that the model is told'),
  tools: z.array(Tool).min(1).max(128).nullish().describe('With messages: functions that the model may call'),
  chat_template_kwargs: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("With messages: switches of the model's template"),
  add_special_tokens: z
    .boolean()
    .nullish()
    .describe('With prompt: whether the tokens that begin and end texts are added; true when left out'),
  add_generation_prompt: z
    .boolean()
    .nullish()
    .describe('With messages: whether the beginning of an answer is added; true when left out'),
  continue_final_message: z
    .boolean()
    .nullish()
    .describe('With messages: whether the last one is left open, to be gone on with'),
  return_token_strs: z.boolean().nullish().describe('Whether the text of each token is wanted'),
});
export type TokenizeRequest = z.infer<typeof TokenizeRequest>;

export const TokenizeReply = described('The tokens of a text or of a prompt', {
  model: z.string().describe('The model whose tokens they are'),
  count: z.int().describe('How many there are'),
  max_model_len: z.int().describe('Tokens of prompt and reply together that the model has room for'),
  tokens: z.array(z.int()).describe('Their ids'),
  token_strs: z
    .array(z.string())
    .nullable()
    .describe('Their texts, with return_token_strs where the server gives them'),
});
export type TokenizeReply = z.infer<typeof TokenizeReply>;

export const DetokenizeRequest = described('Body of POST /v1/detokenize', {
  model: z.string().min(1).describe('A chat model'),
  tokens: z.array(z.int().min(0)).max(MAX_TOKENS).describe('Ids of tokens of that model'),
});
export type DetokenizeRequest = z.infer<typeof DetokenizeRequest>;

export const DetokenizeReply = described('The text of tokens', { prompt: z.string().describe('The text') });
export type DetokenizeReply = z.infer<typeof DetokenizeReply>;

export const ChatTokens = described('How many tokens a chat gives its model', {
  object: z.literal('chat.completion.tokens'),
  model: z.string().describe('The model that counts'),
  prompt_tokens: z.int().describe('Tokens of the prompt'),
  context_length: z.int().describe('Tokens of prompt and reply together that the model has room for'),
  is_estimate: z
    .boolean()
    .describe('Whether the server of the model has no tokenizer that can be asked, so that it was guessed'),
});
export type ChatTokens = z.infer<typeof ChatTokens>;

/** Source: api.ncloud-docs.com, CLOVA Studio, token calculators. */
export const MessageTokensRequest = described('Body of POST /v1/api-tools/chat-tokenize/{model}', {
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']).describe('Who speaks'),
        content: z.string().describe('The text'),
      }),
    )
    .min(1)
    .max(100)
    .nullish()
    .describe('A conversation of up to 100 messages; either this or text'),
  text: z.string().nullish().describe('A text'),
});
export type MessageTokensRequest = z.infer<typeof MessageTokensRequest>;

export const MessageTokensReply = envelope(
  described('How many tokens each message has, or the text', {
    messages: z
      .array(
        z.object({
          role: z.enum(['system', 'user', 'assistant']).describe('As in the request'),
          content: z.string().describe('As in the request'),
          count: z.int().describe('Tokens of the content'),
        }),
      )
      .optional()
      .describe('The messages, with their tokens'),
    numTokens: z.int().optional().describe('Tokens of the text'),
  }),
);
