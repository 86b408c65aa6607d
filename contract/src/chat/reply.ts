import { z } from 'zod';
import { described } from '../described.ts';
import { Annotations } from './annotations.ts';
import { reasoningFields } from './reasoning-keys.ts';
import { ToolCall } from './request.ts';

/** Source: interface 2.3; decisions section 2, "Whole reply". */
export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
/** Why a reply ended. */
export type FinishReason = (typeof finishReasons)[number];

/** Source: interface section 2.3. */
export const Usage = described('Tokens of a call', {
  prompt_tokens: z.int().min(0).describe('Tokens of the prompt'),
  total_tokens: z.int().min(0).describe('Prompt and completion tokens together'),
  completion_tokens: z.int().min(0).describe('Tokens generated: reasoning and answer together'),
  prompt_tokens_details: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Further counts of the prompt, as the engine reports them'),
  completion_tokens_details: z
    .object({ reasoning_tokens: z.int().min(0).describe('Tokens of the reasoning') })
    .optional()
    .describe('Further counts of what was generated'),
});
export type Usage = z.infer<typeof Usage>;

/** Source: interface section 2.3. */
export const ReplyMessage = described('The message of the model', {
  role: z.literal('assistant'),
  content: z.string().nullable().describe('The answer; null with tool calls alone'),
  ...reasoningFields(
    z
      .string()
      .nullable()
      .optional()
      .describe('The reasoning, for the models that name it so; null when reasoning is off'),
  ),
  tool_calls: z.array(ToolCall).describe('Functions that the model calls; empty when none'),
  annotations: Annotations.describe('Sources that the answer of an agent cites; models have none'),
});

/** Source: interface section 2.3; decisions section 2. */
export const ChatReply = described('Reply of POST /v1/chat/completions without stream', {
  id: z.string().describe('Unique id of the reply, chatcmpl- and 32 hexadecimal digits'),
  object: z.literal('chat.completion'),
  created: z.int().describe('Unix time in seconds'),
  model: z.string().describe('The model that answered'),
  choices: z
    .array(
      z.object({
        index: z.int().describe('Place among the choices, from 0'),
        message: ReplyMessage,
        logprobs: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('Log probabilities of the tokens, where the request asked for them'),
        finish_reason: z
          .enum(finishReasons)
          .describe(
            'Why the reply ended: stop, length (max_tokens or the context is used up), tool_calls or content_filter',
          ),
        stop_reason: z.string().nullable().describe('The stop string that ended the reply; null when none did'),
      }),
    )
    .describe('Generated answers, n of them'),
  usage: Usage,
  prompt_logprobs: z.unknown().nullable().describe('Log probabilities of the prompt, where the engine reports them'),
  service_tier: z.string().nullable().describe('Always null'),
  system_fingerprint: z
    .string()
    .nullable()
    .describe('Identifier of the configuration of the engine, where it reports one'),
  kv_transfer_params: z.null().describe('Always null: never passed on'),
});
export type ChatReply = z.infer<typeof ChatReply>;
