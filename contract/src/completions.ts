import { z } from 'zod';
import { described } from './described.ts';
import { MAX_OUTPUT_TOKENS } from './chat/request.ts';
import { Usage, finishReasons } from './chat/reply.ts';

export const CompletionRequest = described('Body of POST /v1/completions, the older text form (decisions section 3)', {
  model: z.string().min(1).nullish().describe('A model id; the default model when left out'),
  prompt: z
    .union([z.string().min(1), z.array(z.string().min(1)).length(1)])
    .describe('The text, answered as a user message'),
  max_tokens: z
    .int()
    .min(1)
    .max(MAX_OUTPUT_TOKENS)
    .nullish()
    .describe('Maximum number of tokens to generate, 1 to 32768'),
  temperature: z.number().min(0).max(2).nullish().describe('Sampling temperature, 0 to 2; 1 when left out'),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .describe('Share of probability that tokens are drawn from, 0 to 1; 1 when left out'),
  n: z.int().min(1).max(16).nullish().describe('Number of answers, 1 to 16'),
  stream: z.boolean().nullish().describe('Whether the reply comes as server-sent events'),
  stream_options: z
    .object({ include_usage: z.boolean().nullish().describe('Whether one more chunk at the end carries usage') })
    .nullish()
    .describe('Only with stream'),
  stop: z
    .union([z.string().min(1), z.array(z.string().min(1)).max(16)])
    .nullish()
    .describe('A string, or up to 16, at which generation halts; the reply does not contain it'),
  frequency_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('Penalty by how often a token occurred, -2 to 2; 0 when left out'),
  presence_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('Penalty for tokens that occurred at all, -2 to 2; 0 when left out'),
  seed: z.int().nullish().describe('Seed of the sampling, for answers that can be repeated'),
  echo: z.boolean().nullish().describe('Whether the reply begins with the prompt'),
  user: z.string().nullish().describe("Identifier of the end user, of the caller's own"),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

export const CompletionReply = described(
  'Reply of POST /v1/completions, and each event of its stream (decisions section 3)',
  {
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
  },
);
export type CompletionReply = z.infer<typeof CompletionReply>;
