import { z } from 'zod';
import { described } from './described.ts';
import { OpenAiError } from './errors.ts';

/** Source: decisions section 3. */
export const RerankRequest = described('Body of POST /v1/rerank', {
  model: z.string().min(1).nullish().describe('A reranker id; may be left out where there is only one'),
  query: z.string().min(1).describe('The question'),
  documents: z
    .array(z.union([z.string().min(1), z.object({ text: z.string().min(1).describe('The text') })]))
    .min(1)
    .max(2048)
    .describe('Texts to be ordered, 1 to 2,048'),
  top_n: z.int().min(1).nullish().describe('How many of the best are wanted; all when left out'),
  return_documents: z.boolean().nullish().describe('Whether the reply repeats the texts'),
});
export type RerankRequest = z.infer<typeof RerankRequest>;

/** Source: decisions section 3. */
export const RerankReply = described('Documents in the order of how well they answer the query', {
  id: z.string().describe('Unique id of the reply'),
  model: z.string().describe('The model that was used'),
  results: z
    .array(
      z.object({
        index: z.int().describe('Place of the document in the request, from 0'),
        relevance_score: z.number().min(0).max(1).describe('How well the document answers the query, 0 to 1'),
        document: z
          .object({ text: z.string().describe('Text of the document') })
          .optional()
          .describe('The document, with return_documents'),
      }),
    )
    .describe('Best first'),
  usage: described('Tokens of the call', {
    prompt_tokens: z.int().describe('Tokens of the query and all documents'),
    total_tokens: z.int().describe('The same'),
  }),
});
export type RerankReply = z.infer<typeof RerankReply>;

/** Source: docs.cohere.com, "Errors". */
export const CohereError = OpenAiError.extend({
  id: z.string().describe('Id of the request'),
  message: z.string().describe('What was wrong and what would be right'),
}).describe('A failure in the form of Cohere, beside that of other endpoints');
export type CohereError = z.infer<typeof CohereError>;

/** Source: docs.cohere.com, "Rerank API (v2)". */
export const CohereRerankRequest = described('Body of POST /v2/rerank', {
  model: z
    .string()
    .min(1)
    .nullish()
    .describe('A reranker id or an alias of one; may be left out where there is only one'),
  query: z.string().min(1).describe('The question'),
  documents: z
    .array(z.union([z.string().min(1), z.object({ text: z.string().min(1).describe('The text') })]))
    .min(1)
    .max(2048)
    .describe('Texts to be ordered, 1 to 2,048'),
  top_n: z.int().min(1).nullish().describe('How many of the best are wanted; all when left out'),
  max_tokens_per_doc: z.int().min(1).nullish().describe('Accepted; models read of a document what they have room for'),
  priority: z.int().nullish().describe('Accepted; not interpreted'),
});
export type CohereRerankRequest = z.infer<typeof CohereRerankRequest>;

/** Source: docs.cohere.com, "Rerank API (v2)". */
export const CohereRerankReply = described('Documents in the order of how well they answer the query', {
  id: z.string().describe('Unique id of the reply'),
  results: z
    .array(
      z.object({
        index: z.int().describe('Place of the document in the request, from 0'),
        relevance_score: z.number().min(0).max(1).describe('How well the document answers the query, 0 to 1'),
      }),
    )
    .describe('Best first'),
  meta: described('Of the call', {
    api_version: described('Of the form', { version: z.literal('2') }),
    billed_units: described('What it counts as', { search_units: z.literal(1) }),
  }),
});
export type CohereRerankReply = z.infer<typeof CohereRerankReply>;
