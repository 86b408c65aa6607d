import { z } from 'zod';

/** Source of every range and default here: interface 2.2 and 8; decisions section 2 for what goes beyond them. */
export const MAX_OUTPUT_TOKENS = 32_768;

/** Fields of every request for text, of chats and of the older text form. */
export const samplingFields = {
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
  user: z.string().nullish().describe("Identifier of the end user, of the caller's own"),
};
