import { z } from 'zod';
import { reasoningFields } from './reasoning-keys.ts';
import { ToolCall } from './request.ts';

/** Source: interface 2.3; decisions section 2, "Whole reply". */
export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
export type FinishReason = (typeof finishReasons)[number];

export const Usage = z.object({
  prompt_tokens: z.int().min(0),
  total_tokens: z.int().min(0),
  completion_tokens: z.int().min(0).describe('Reasoning and answer together'),
  prompt_tokens_details: z.record(z.string(), z.unknown()).nullable(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int().min(0) }).optional(),
});
export type Usage = z.infer<typeof Usage>;

export const ReplyMessage = z.object({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  ...reasoningFields(z.string().nullable().optional().describe('Present for the models whose profile names it')),
  tool_calls: z.array(ToolCall),
});

export const ChatReply = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: ReplyMessage,
      logprobs: z.record(z.string(), z.unknown()).nullable(),
      finish_reason: z.enum(finishReasons),
      stop_reason: z.string().nullable(),
    }),
  ),
  usage: Usage,
  prompt_logprobs: z.unknown().nullable(),
  service_tier: z.string().nullable(),
  system_fingerprint: z.string().nullable(),
  kv_transfer_params: z.null(),
});
export type ChatReply = z.infer<typeof ChatReply>;
