import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { Alpha, Boosts, Decay, Fusion, ParentSize, QueryExpansion, Rerank, SearchMode } from './collection.ts';
import { Metadata } from './document.ts';
import { nonBlankText, Id } from './text.ts';

/** Source: interface section 4.3; decisions section 5. */
export const SearchRequest = z
  .strictObject({
    query: nonBlankText(4_096).describe('The question, 1 to 4,096 characters'),
    collection_id: Id.optional().describe('The collection to search; this or collection_ids is required'),
    collection_ids: z.array(Id).min(1).max(20).optional().describe('Collections to search, 1 to 20'),
    search_type: SearchMode.optional().describe("How passages are found; the collection's mode when left out"),
    top_k: z.int().min(1).max(100).default(5).describe('Number of passages, 1 to 100'),
    alpha: Alpha.optional().describe(
      "Weight of the vector side, 0 (keywords alone) to 1 (vectors alone); the collection's when left out",
    ),
    fusion: Fusion.optional(),
    rerank: Rerank.optional(),
    score_threshold: z.number().optional().describe('Leaves out passages with a lower score'),
    filters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Conditions on metadata, such as {"department":"HR","year":{"$gte":2024}}'),
    highlight: z.boolean().default(false).describe('Whether hits say where words of the query stand'),
    parent_size: ParentSize.nullable()
      .optional()
      .describe(
        "Tokens of the larger passage that is given for each chunk that was found, 128 to 8,192; null: the chunk alone; the collection's when left out",
      ),
    decay: Decay.nullable()
      .optional()
      .describe("How much less passages count the older they are; null: not at all; the collection's when left out"),
    boosts: Boosts.optional(),
    collapse_duplicates: z
      .boolean()
      .optional()
      .describe('Whether passages that say (nearly) the same as a better one are left out and named at that one'),
    query_expansion: QueryExpansion.optional(),
  })
  .refine(({ collection_id: one, collection_ids: many }) => one !== undefined || many !== undefined, {
    path: ['collection_id'],
    message: 'is required',
  })
  .describe('Body of POST /v1/rag42/search');
export type SearchRequest = z.infer<typeof SearchRequest>;

/** Source: decisions section 5. */
export const SearchHit = described('A passage that was found', {
  chunk_id: z.string().describe('Id of the chunk, 32 lower-case hexadecimal digits'),
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  document_name: z.string().describe('Name of the document, by default that of its file'),
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  title: z.string().describe('Heading of the passage'),
  content: z.string().describe('Text of the passage'),
  score: z.number().describe('Score that orders the hits; higher is better'),
  scores: described('Scores of each side', {
    vector: z.number().optional().describe('Cosine similarity of the vectors'),
    keyword: z.number().optional().describe('BM25 score of the keywords'),
    rerank: z.number().optional().describe('Score of the rerank model'),
    weight: z.number().optional().describe('What the score was multiplied by, of decay and boosts'),
  }),
  page: z.int().nullable().describe('Page of the passage, from 1; null where the document has no pages'),
  metadata: Metadata,
  highlights: z
    .array(
      z.object({
        field: z.enum(['title', 'content']).describe('Text in which the words stand'),
        start: z.int().describe('Start, in UTF-16 units'),
        end: z.int().describe('End, in UTF-16 units; not included'),
        text: z.string().describe('The words themselves'),
      }),
    )
    .optional()
    .describe('Where words of the query stand, with highlight'),
  parent: described('The larger passage that content is, with parent_size', {
    start_page: z.int().nullable().describe('First page, from 1; null where the document has no pages'),
    end_page: z.int().nullable().describe('Last page, from 1; null where the document has no pages'),
    matches: z
      .array(
        z.object({
          chunk_id: z.string().describe('Id of the chunk'),
          start: z.int().describe('Its start in content, in UTF-16 units'),
          end: z.int().describe('Its end in content, in UTF-16 units; not included'),
        }),
      )
      .describe('The chunks within it that were found, the best first'),
  }).optional(),
  duplicates: z
    .array(
      z.object({
        chunk_id: z.string().describe('Id of the chunk'),
        document_id: z.string().describe('Id of its document'),
        document_name: z.string().describe('Name of its document'),
        collection_id: z.string().describe('Id of its collection'),
      }),
    )
    .optional()
    .describe('Passages that say (nearly) the same and were left out, with collapse_duplicates'),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** Source: decisions section 5. */
export const SearchResult = described('What a search found', {
  query: z.string().describe('The question'),
  search_type: SearchMode,
  embedding_model: z
    .string()
    .nullable()
    .describe('The embedding model that was used; lexical: none was called; null: keywords alone'),
  query_cut_by: z
    .array(z.string())
    .optional()
    .describe('Embedding models that do not read the whole query: they were asked with its beginning'),
  embedding_unavailable: z
    .array(z.string())
    .optional()
    .describe(
      'Embedding models that could not be used: a hybrid search goes without their vectors, by words alone where there are no others',
    ),
  rerank_unavailable: z
    .string()
    .optional()
    .describe('The rerank model that could not be used: the hits are in the order in which they were found'),
  query_expansion: described('What a chat model said beside the query', {
    kind: QueryExpansion.shape.kind,
    model: z.string().describe('Id of the model'),
    texts: z.array(z.string()).describe('What it said: queries, or a passage'),
  }).optional(),
  query_expansion_unavailable: z
    .string()
    .optional()
    .describe('The chat model that gave nothing beside the query: it was searched by the query as it is'),
  hits: z.array(SearchHit).describe('Passages, the best first'),
  total: z.int().describe('Number of hits'),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** Source: decisions section 5. */
export const SearchUsage = described('Tokens of a search', {
  embedding_tokens: z.int().describe('Tokens of the query for the embedding model'),
  rerank_tokens: z.int().optional().describe('Tokens for the rerank model'),
  expansion_tokens: z.int().optional().describe('Tokens of the chat model, counted as a chat'),
  total_tokens: z.int().describe('All tokens together'),
});
export type SearchUsage = z.infer<typeof SearchUsage>;

/** What of a search applies to passages like one. */
export const SimilarRequest = describedStrictly('Body of POST of passages like a chunk', {
  collection_ids: z
    .array(Id)
    .min(1)
    .max(20)
    .optional()
    .describe('Collections to search, 1 to 20; that of the chunk when left out'),
  search_type: SearchMode.optional().describe("How passages are found; the collection's mode when left out"),
  top_k: z.int().min(1).max(100).default(5).describe('Number of passages, 1 to 100'),
  same_document: z.boolean().default(false).describe('Whether passages of the same document count as well'),
  score_threshold: z.number().optional().describe('Leaves out passages with a lower score'),
  filters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Conditions on metadata, such as {"department":"HR","year":{"$gte":2024}}'),
});
export type SimilarRequest = z.infer<typeof SimilarRequest>;
