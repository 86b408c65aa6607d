import { z } from 'zod';
import { described } from './described.ts';

/** Most texts of a request. */
const MAX_TEXTS = 2_048;
/** Most values that the JSON of a request may hold: token ids come by the hundred thousand. */
export const MAX_EMBEDDINGS_VALUES = 1_000_000;

const isTokenId = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;

/** A text by its token ids. They are checked in one go, as they are many. */
const tokenText = z
  .array(z.unknown())
  .min(1)
  .refine((ids) => ids.every(isTokenId), 'must hold token ids, which are whole numbers')
  .pipe(z.custom<number[]>())
  .meta({ items: { type: 'integer', minimum: 0, description: 'Token id' }, description: 'Token ids of a text' });

/** Source: interface section 4.4; decisions section 3. */
export const EmbeddingsRequest = described('Body of POST /v1/embeddings and /v1/text/embeddings', {
  model: z.string().min(1).nullish().describe('An embedding model id; the default embedding model when left out'),
  input: z
    .union([
      z.string().min(1),
      z.array(z.string().min(1)).min(1).max(MAX_TEXTS),
      tokenText,
      z.array(tokenText).min(1).max(MAX_TEXTS),
    ])
    .describe(
      'A text, or 1 to 2,048 of them; none is empty. A text may also be a list of token ids of cl100k_base, which are read as the text that they stand for',
    ),
  encoding_format: z
    .enum(['float', 'base64'])
    .nullish()
    .describe('float: numbers; base64: little-endian float32 in base64'),
  input_type: z
    .enum(['query', 'passage', 'document', 'search_query', 'search_document'])
    .nullish()
    .describe(
      'What the texts are for a search: query (also search_query) or passage (also document, search_document). The model is given the words before them that it was trained with, such as "query: "; they stand as they are when left out',
    ),
  truncate: z
    .union([z.boolean(), z.enum(['NONE', 'END'])])
    .nullish()
    .describe(
      'What becomes of a text that is longer than the model reads: true or END cuts its end, false or NONE refuses it with both lengths; false when left out',
    ),
  dimensions: z.int().min(1).max(65_536).nullish().describe('Length of the vectors, for models that can shorten them'),
  user: z.string().nullish().describe("Identifier of the end user, of the caller's own"),
});
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

/** Source: decisions section 3. */
export const EmbeddingsReply = described('Vectors of texts', {
  object: z.literal('list'),
  data: z
    .array(
      z.object({
        object: z.literal('embedding'),
        index: z.int().describe('Place of the text in the request, from 0'),
        embedding: z
          .union([z.array(z.number()), z.string().describe('base64 of little-endian float32')])
          .describe('The vector: numbers, or little-endian float32 in base64'),
      }),
    )
    .describe('One vector for each text, in order'),
  model: z.string().describe('The model that was used'),
  usage: described('Tokens of the call', {
    prompt_tokens: z.int().describe('Tokens of all texts'),
    total_tokens: z.int().describe('The same'),
  }),
});
export type EmbeddingsReply = z.infer<typeof EmbeddingsReply>;
