import { z } from 'zod';

/** Body of POST /v1/rerank. Source: decisions section 3. */
export const RerankRequest = z.object({
  model: z.string().min(1).nullish().describe('A reranker id; may be left out where there is only one'),
  query: z.string().min(1),
  documents: z
    .array(z.union([z.string().min(1), z.object({ text: z.string().min(1) })]))
    .min(1)
    .max(2048),
  top_n: z.int().min(1).nullish().describe('How many of the best are wanted; all when left out'),
  return_documents: z.boolean().nullish().describe('Whether the reply repeats the texts'),
});
export type RerankRequest = z.infer<typeof RerankRequest>;

export const RerankReply = z.object({
  id: z.string(),
  model: z.string(),
  results: z
    .array(
      z.object({
        index: z.int().describe('Place of the document in the request'),
        relevance_score: z.number().min(0).max(1),
        document: z.object({ text: z.string() }).optional(),
      }),
    )
    .describe('Best first'),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type RerankReply = z.infer<typeof RerankReply>;
