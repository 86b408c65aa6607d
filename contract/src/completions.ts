import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from './chat/request.ts';
import { Usage, finishReasons } from './chat/reply.ts';

/** Body of POST /v1/completions, the older text form. */
export const CompletionRequest = z.object({
  model: z.string().min(1).nullish(),
  prompt: z.union([z.string().min(1), z.array(z.string().min(1)).length(1)]),
  max_tokens: z.int().min(1).max(MAX_OUTPUT_TOKENS).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.int().min(1).max(16).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(16)]).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  echo: z.boolean().nullish(),
  user: z.string().nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

export const CompletionReply = z.object({
  id: z.string(),
  object: z.literal('text_completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      text: z.string(),
      logprobs: z.null(),
      finish_reason: z.enum(finishReasons).nullable(),
      stop_reason: z.string().nullable(),
    }),
  ),
  usage: Usage.optional(),
});
export type CompletionReply = z.infer<typeof CompletionReply>;
