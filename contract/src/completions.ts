import { z } from 'zod';
import { described } from './described.ts';
import { MAX_OUTPUT_TOKENS, samplingFields } from './chat/sampling.ts';
import { Usage, finishReasons } from './chat/reply.ts';

/** Source: decisions section 3. */
export const CompletionRequest = described('Body of POST /v1/completions, the older text form', {
  model: z.string().min(1).nullish().describe('A model id; the default model when left out'),
  prompt: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(64)])
    .describe('The text, answered as a user message; or 1 to 64 of them, each answered by itself: `index` counts on'),
  ...samplingFields,
  max_tokens: z
    .int()
    .min(1)
    .max(MAX_OUTPUT_TOKENS)
    .nullish()
    .describe('Maximum number of tokens to generate, 1 to 32768'),
  echo: z.boolean().nullish().describe('Whether the reply begins with the prompt'),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

/** Source: decisions section 3. */
export const CompletionReply = described('Reply of POST /v1/completions, and each event of its stream', {
  id: z.string().describe('Unique id of the reply'),
  object: z.literal('text_completion'),
  created: z.int().describe('Unix time in seconds'),
  model: z.string().describe('The model that answered'),
  choices: z
    .array(
      z.object({
        index: z.int().describe('Place among the choices, from 0'),
        text: z.string().describe('The text, or its next piece'),
        logprobs: z.null().describe('Always null'),
        finish_reason: z.enum(finishReasons).nullable().describe('Why the text ended; null while it goes on'),
        stop_reason: z.string().nullable().describe('The stop string that ended the text; null when none did'),
      }),
    )
    .describe('Generated texts'),
  usage: Usage.optional().describe('Tokens of the call'),
});
export type CompletionReply = z.infer<typeof CompletionReply>;
