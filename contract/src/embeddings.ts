import { z } from 'zod';

/** Body of POST /v1/embeddings and /v1/text/embeddings. Source: decisions section 3. */
export const EmbeddingsRequest = z.object({
  model: z.string().min(1).nullish().describe('An embedding model id; the default embedder when left out'),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(65_536).nullish(),
  user: z.string().nullish(),
});
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

export const EmbeddingsReply = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string().describe('base64 of little-endian float32')]),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type EmbeddingsReply = z.infer<typeof EmbeddingsReply>;
